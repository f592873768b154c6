import { ApiError } from "../../api/api-error.js";

/** The `ApiError` that an attempt ends with, thrown at once or by its promise. */
export async function refusalOf(attempt: () => unknown): Promise<ApiError> {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
