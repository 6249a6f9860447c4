/** The last lines of a log that is shown only if something fails. */
export interface LogTail {
  readonly add: (line: string) => void;
  readonly lines: () => readonly string[];
}

const maxLines = 15;

/** Creates an empty tail. */
export function createLogTail(): LogTail {
  const lines: string[] = [];
  return {
    add: (line) => {
      lines.push(line);
      if (lines.length > maxLines) lines.shift();
    },
    lines: () => lines,
  };
}
