/** Takes what a library says of its work: pino, its children and console all satisfy it. Fields hold no text of anybody. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
