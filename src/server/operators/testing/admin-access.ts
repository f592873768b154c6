import type { AdminAccess } from "../admin-access.js";

export const ADMIN_ACCESS: AdminAccess = { hosts: [], token: "the-admin-token" };

/** Headers of a request with the admin token. */
export const ADMIN_HEADERS = { authorization: `Bearer ${ADMIN_ACCESS.token}` } as const;
