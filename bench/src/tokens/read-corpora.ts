import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Texts of one kind, joined. */
export interface Corpus {
  readonly name: 'English' | 'Japanese' | 'code';
  readonly text: string;
}

const libraries = [
  'ai',
  'commander',
  'hono',
  'knip',
  'lowdb',
  'p-queue',
  'pino',
  'undici',
  'yaml',
  'zod',
].map((name) => `node_modules/.pnpm/${name}@*/node_modules/${name}/README.md`);

/**
 * Texts that nobody wrote for a measurement: documents and code of this repository, what libraries say of themselves, and the messages of a TypeScript
 * compiler in Japanese, which the tools for packages bring along.
 */
export function readCorpora(): readonly Corpus[] {
  return [
    {
      name: 'English',
      text: readAll(['*.md', 'docs/{guides,decisions}/*.md', '*/*/README.md', ...libraries]),
    },
    { name: 'Japanese', text: readJapanese() },
    { name: 'code', text: readAll(['{packages,apps}/*/src/**/*.ts']) },
  ];
}

function readAll(patterns: readonly string[]): string {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
  return files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
}

const japanese =
  'node_modules/.pnpm/typescript@5*/node_modules/typescript/lib/ja/diagnosticMessages.generated.json';

function readJapanese(): string {
  const [file] = globSync(japanese, { cwd: root });
  if (file === undefined) throw new Error(`There is no ${japanese}; run "npm run bootstrap".`);
  const messages: Record<string, string> = JSON.parse(readFileSync(join(root, file), 'utf8'));
  return Object.values(messages).join('\n');
}
