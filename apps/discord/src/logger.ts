/** Where the app says what it does. pino and console satisfy it; no field ever holds what somebody wrote. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
