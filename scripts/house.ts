// `npm run house`: the figures of the house, and the parts of documents that are generated from sources.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from './check/run-command.ts';
import { formatDecisionIndex } from './house/decision-index.ts';
import { replaceGenerated } from './house/generated-part.ts';
import { findWorseFigures, formatHouse, improveFigures, type KnownFigures } from './house/house-report.ts';
import { listProblems } from './house/list-problems.ts';
import { readMarkdownFiles } from './house/markdown-files.ts';
import { measureHouse } from './house/measures.ts';
import { parseRequirements } from './requirements/parse-requirements.ts';
import { readSourceTree } from './shape/source-tree.ts';
import { repositoryRoot } from './workspace/root.ts';

const usage = `npm run house -- [options]
Prints the figures of the house (docs/house.md) and what became worse since they were committed.

npm run house -- flows
Prints the files that each of the great flows passes, traced in the running programs.

  --list             where each figure that should be 0 comes from, one place a line
  --write            commit to what became better (scripts/house/figures.json) and renew the generated parts of
                     docs/house.md and docs/decisions/README.md
  --accept "NAME"    with --write: take this figure as it is, though it became worse; say why in the commit
  --help             this text`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean' },
    write: { type: 'boolean' },
    accept: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean' },
  },
});

const [what] = positionals;
if (values.help === true) console.log(usage);
else if (what === 'flows')
  process.exitCode = await runCommand(['node', '--conditions=@agent/source', 'bench/src/flows/main.ts']);
else if (what !== undefined) fail(`there is no ${what}`);
else if (values.list === true)
  console.log(listProblems(readSourceTree(repositoryRoot), readMarkdownFiles(repositoryRoot)).join('\n'));
else report(values.write === true, new Set(values.accept));

function fail(reason: string): void {
  console.error(`${reason}\n\n${usage}`);
  process.exitCode = 2;
}

function report(writes: boolean, accepted: ReadonlySet<string>): void {
  const tree = readSourceTree(repositoryRoot);
  const documents = readMarkdownFiles(repositoryRoot);
  const measures = measureHouse(tree, documents);
  const figuresFile = join(repositoryRoot, 'scripts', 'house', 'figures.json');
  const known = JSON.parse(readFileSync(figuresFile, 'utf8')) as KnownFigures;
  const table = formatHouse(tree, measures);
  console.log(table);
  const after = writes ? improveFigures(measures, known, accepted) : known;
  const worse = findWorseFigures(measures, after);
  if (worse.length > 0) console.error(`\nWorse than before:\n${worse.join('\n')}`);
  process.exitCode = worse.length > 0 ? 1 : 0;
  if (!writes) return;
  writeFileSync(figuresFile, `${JSON.stringify(after, null, 2)}\n`);
  const requirements = readFileSync(join(repositoryRoot, 'docs', 'requirements.md'), 'utf8');
  renew('docs/house.md', table);
  renew(
    'docs/decisions/README.md',
    formatDecisionIndex(requirements, parseRequirements(requirements), documents),
  );
}

function renew(path: string, content: string): void {
  const file = join(repositoryRoot, path);
  writeFileSync(file, replaceGenerated(readFileSync(file, 'utf8'), content));
}
