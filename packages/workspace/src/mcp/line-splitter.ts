import { StringDecoder } from 'node:string_decoder';

export interface LineSplitterOptions {
  readonly onLine: (line: string) => void;
  /** A line that is longer is not waited for. */
  readonly maxChars: number;
}

/** Cuts a stream of bytes into lines. `add` is false once a line is too long. */
export function createLineSplitter({ onLine, maxChars }: LineSplitterOptions): {
  readonly add: (chunk: Buffer) => boolean;
} {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let size = 0;
  return {
    add: (chunk) => {
      const [first = '', ...rest] = decoder.write(chunk).split('\n');
      parts.push(first);
      size += first.length;
      for (const next of rest) {
        onLine(parts.join(''));
        parts = [next];
        size = next.length;
      }
      return size <= maxChars;
    },
  };
}
