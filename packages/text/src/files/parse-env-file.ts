/** Mistake in a `.env` file. It never quotes a value, which may be a secret. */
export interface EnvFileProblem {
  /** Counted from 1. */
  readonly line: number;
  /**
   * `no-equals`: the line has no `=` and is ignored. `invalid-name`: what is before the `=` is not the name of a variable, and the line is
   * ignored. `unclosed-quote`: the value begins with a quote that nothing closes, and keeps it. `cut-value`: an unquoted `#` inside a word
   * starts a comment, so the value ends there. `text-after-quote`: text after the closing quote is ignored.
   */
  readonly kind: 'no-equals' | 'invalid-name' | 'unclosed-quote' | 'cut-value' | 'text-after-quote';
  /** Name of the variable; null if the line has none. */
  readonly name: string | null;
}

/** Variables of a `.env` file, and what looks like a mistake in it. */
export interface ParsedEnvFile {
  readonly variables: Readonly<Record<string, string>>;
  readonly problems: readonly EnvFileProblem[];
}

/**
 * Parses a `.env` file as Node and dotenv do: `NAME=value`, optionally after `export`, with comments, and with values in `"`, `'` or a
 * backtick that can span lines. Unlike these it reports each line that it cannot use, and such a line never affects the next one.
 *
 * @example
 * parseEnvFile('TOKEN=abc\nKEY').problems; // [{ line: 2, kind: 'no-equals', name: null }]
 */
export function parseEnvFile(text: string): ParsedEnvFile {
  const lines = text.split(/\r\n|\n|\r/);
  const variables: Record<string, string> = {};
  const problems: EnvFileProblem[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] ?? '';
    const read = readLine(line, lines.slice(index + 1));
    if (read.kind !== 'blank') {
      const { name = null, value, problem } = read;
      if (name !== null) variables[name] = value;
      if (problem !== null) problems.push({ line: index + 1, kind: problem, name });
    }
    index += read.kind === 'blank' ? 1 : read.lineCount;
  }
  return { variables, problems };
}

interface ReadValue {
  readonly value: string;
  readonly problem: EnvFileProblem['kind'] | null;
  /** Lines that the value takes. */
  readonly lineCount: number;
}

type ReadLine = { readonly kind: 'blank' } | (ReadValue & { readonly kind: 'set'; readonly name?: string });

function readLine(line: string, following: readonly string[]): ReadLine {
  const content = line.trim();
  if (content === '' || content.startsWith('#')) return { kind: 'blank' };
  const ignored = { kind: 'set', value: '', lineCount: 1 } as const;
  const equals = content.indexOf('=');
  if (equals === -1) return { ...ignored, problem: 'no-equals' };
  const name = content
    .slice(0, equals)
    .replace(/^export\s+/, '')
    .trim();
  if (!/^[A-Za-z_][\w.-]*$/.test(name)) return { ...ignored, problem: 'invalid-name' };
  return { kind: 'set', name, ...readValue(content.slice(equals + 1).trim(), following) };
}

function readValue(written: string, following: readonly string[]): ReadValue {
  const quote = /^["'`]/.exec(written)?.[0];
  return quote === undefined ? readPlain(written) : readQuoted(written, { quote, following });
}

function readPlain(written: string): ReadValue {
  const hash = written.indexOf('#');
  if (hash === -1) return { value: written, problem: null, lineCount: 1 };
  const isComment = hash === 0 || /\s/.test(written[hash - 1] ?? '');
  return { value: written.slice(0, hash).trim(), problem: isComment ? null : 'cut-value', lineCount: 1 };
}

function readQuoted(
  written: string,
  { quote, following }: { readonly quote: string; readonly following: readonly string[] },
): ReadValue {
  const unclosed = { value: written, problem: 'unclosed-quote', lineCount: 1 } as const;
  const inner = [written.slice(1), ...following].join('\n');
  const end = inner.indexOf(quote);
  if (end === -1) return unclosed;
  const value = inner.slice(0, end);
  const lineCount = value.split('\n').length;
  const [rest = ''] = inner.slice(end + 1).split('\n', 1);
  const isClean = /^\s*(?:#.*)?$/.test(rest);
  // The opening quote of a later variable closes nothing.
  if (!isClean && lineCount > 1) return unclosed;
  const expanded = quote === '"' ? value.replaceAll('\\n', '\n') : value;
  return { value: expanded, problem: isClean ? null : 'text-after-quote', lineCount };
}
