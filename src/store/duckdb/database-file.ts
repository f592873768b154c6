/** Name of the database in statements; the engine derives it from the name of the file. */
export const DATABASE_NAME = "waybill";
/** Name of the database file in its directory. */
export const DATABASE_FILE = `${DATABASE_NAME}.duckdb`;
