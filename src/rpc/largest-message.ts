/** Most bytes of one message; what gRPC servers commonly take. */
export const LARGEST_MESSAGE = 4 * 1024 * 1024;
