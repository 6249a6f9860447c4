// `npm run imports`: checks every import by the rules of `.dependency-cruiser.mjs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cruiseImports } from './imports/cruise-imports.ts';
import { formatViolation } from './imports/format-violation.ts';
import {
  findFixedViolations,
  findNewViolations,
  parseKnownViolations,
  renewKnownViolations,
} from './imports/known-violations.ts';
import { repositoryRoot } from './workspace/root.ts';

const usage = `npm run imports -- [options]
Checks every import by the rules of .dependency-cruiser.mjs, except those listed in scripts/imports/known-violations.yaml.

  --write    remove fixed violations from that list, and rename moved files and folders in it
  --help     this text`;

const { values } = parseArgs({ options: { write: { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help === true) console.log(usage);
else await check(values.write === true);

async function check(writes: boolean): Promise<void> {
  const listFile = join(repositoryRoot, 'scripts', 'imports', 'known-violations.yaml');
  const list = readFileSync(listFile, 'utf8');
  const violations = await cruiseImports(repositoryRoot);
  if (writes) return writeFileSync(listFile, renewKnownViolations(list, violations));
  const known = parseKnownViolations(list);
  const added = findNewViolations(violations, known);
  const fixed = findFixedViolations(violations, known);
  for (const violation of added) console.error(formatViolation(violation));
  for (const line of fixed) console.error(`fixed, but still in the list of known violations: ${line}`);
  if (fixed.length > 0) console.error('Run `npm run imports -- --write` to shorten the list.');
  const count = violations.length - added.length;
  console.log(`${added.length} imports break a rule (and ${count} known ones).`);
  process.exitCode = added.length + fixed.length > 0 ? 1 : 0;
}
