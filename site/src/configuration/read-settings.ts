/** A row of the table of settings in the README of the daemon. */
export interface SettingsRow {
  /** Keys as they are written; `.*` at the end stands for all below, `NAME` for a name of the writer's own. */
  readonly keys: readonly string[];
  /** Defaults in words, as they are written. */
  readonly defaults: string;
  /** Markdown. */
  readonly meaning: string;
}

/** Reads the rows below `| key | default | meaning |`. A row starts with a key in backticks; further keys follow in its first cell. */
export function readSettings(readme: string): readonly SettingsRow[] {
  const lines = readme.split('\n');
  const table = lines.slice(lines.findIndex((line) => /^\| key \|/.test(line)) + 1);
  const end = table.findIndex((line) => !line.startsWith('|'));
  return table
    .slice(0, end === -1 ? undefined : end)
    .filter((line) => /^\| `[a-z]/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map(([, names = '', defaults = '', ...meaning]) => ({
      keys: readKeys(names),
      defaults,
      meaning: meaning.join('|').replace(/\|$/, '').trim(),
    }));
}

function readKeys(cell: string): readonly string[] {
  const [first = '', ...others] = [...cell.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key);
  const place = first.slice(0, first.lastIndexOf('.') + 1);
  return [first, ...others.map((key) => (key.includes('.') ? key : place + key))];
}

/** Tells whether a row names a key. */
export function namesKey(row: SettingsRow, path: readonly string[]): boolean {
  return row.keys.some((key) => toPattern(key).test(path.join('.')));
}

/** The paths that a written key stands for. */
export function toPattern(key: string): RegExp {
  return new RegExp(`^${key.replace('NAME', '[^.]+').replace(/\.\*$/, '\\..*')}$`);
}
