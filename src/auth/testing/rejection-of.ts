import { ApiError } from "../../api/api-error.js";

/** Returns the `ApiError` of an attempt, whether thrown or rejected. */
export async function rejectionOf(attempt: () => unknown): Promise<ApiError> {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("nothing was rejected");
}
