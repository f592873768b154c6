export const CHDB_VERSION: string;
export const CACHE: string;
export const CHDB_CACHE: string;
export const CHDB_PACKAGE: string;
export const nodeIn: (version: string) => string;
