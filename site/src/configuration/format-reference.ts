import { describeType } from './describe-type.ts';
import { type ConfigKey, type JsonSchema, listKeys } from './list-keys.ts';
import { namesKey, readSettings, type SettingsRow } from './read-settings.ts';

const START = `# Configuration

For whoever writes \`agent.config.yaml\`: every key with its type, its default and what it means. Types and defaults come from the schema that \`agent-daemon\` reads the file
by, meanings from the table in its [README](README.md#agentconfigyaml).

Unknown keys and invalid values are errors at start, which name the nearest known key. camelCase is accepted. Relative paths start at the file. Secrets come from the
environment or from a \`.env\` beside the file. Where a key has \`NAME\`, the name is yours.

An editor that knows the YAML language server completes and checks the file after a first line that says where the
JSON Schema is. In a project that has the daemon installed:

\`\`\`yaml
# yaml-language-server: $schema=./node_modules/@agent/daemon/agent.config.schema.json
\`\`\`

It does not know that keys may be written in camelCase, and says so of them.
`;

/** Writes the page of all settings; its links are those of the README of the daemon. */
export function formatReference(schema: JsonSchema, readme: string): string {
  const rows = readSettings(readme);
  const keys = listKeys(schema);
  const sections = Map.groupBy(rows, ({ keys: [first = ''] }) => first.split('.')[0] ?? '');
  const parts = [...sections].map(([name, own]) =>
    [
      `## ${name}`,
      ...own.map((row) =>
        formatRow(
          row,
          keys.filter(({ path }) => rows.find((one) => namesKey(one, path)) === row),
        ),
      ),
    ].join('\n\n'),
  );
  return [START, ...parts].join('\n');
}

function formatRow(row: SettingsRow, keys: readonly ConfigKey[]): string {
  const words = splitDefaults(row.defaults);
  const known = words.length === keys.length ? words : keys.map(() => '');
  const lines = keys.map((key, index) => {
    const cells = [
      `\`${key.path.join('.')}\``,
      describeType(key.schema),
      describeDefault(key, known[index] ?? ''),
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const heading = `### ${row.keys.map((key) => `\`${key}\``).join(', ')}`;
  const meaning = row.meaning.replaceAll('\\|', '|');
  return [
    heading,
    `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`.replace(/\.\.$/, '.'),
    ['| key | type | default |', '|---|---|---|', ...lines].join('\n'),
  ].join('\n\n');
}

function describeDefault({ schema, required }: ConfigKey, words: string): string {
  if (required) return 'required';
  const { default: value } = schema;
  if (value === undefined || value === null || words === 'required') return words === '' ? 'none' : words;
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty list' : value.map((item) => `\`${item}\``).join(', ');
  return typeof value === 'object' ? 'its keys’ own' : `\`${value}\``;
}

/** Divides defaults in words at commas, but not inside of code, brackets and numbers. */
function splitDefaults(cell: string): readonly string[] {
  const parts = cell.match(/(?:`[^`]*`|\{[^}]*\}|\[[^\]]*\]|,(?! )|[^,`])+/g) ?? [];
  return parts.map((part) => part.trim());
}
