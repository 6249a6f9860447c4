import type { Logger } from '@agent/text';

export interface LogLine {
  readonly level: string;
  readonly fields: object;
  readonly message: string;
}

/** A logger that remembers. */
export function createLog(): { readonly logger: Logger; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields, message });
  return { lines, logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
}
