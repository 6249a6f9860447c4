import { parseArgs } from 'node:util';
import { readCommit } from './git-copy.ts';
import { readJsonrepairCases, readPythonCases } from './json-suites.ts';
import { judgeJsonCase } from './judge-json-case.ts';
import { replayCassettes, replayFixtures } from './recorded-answers.ts';
import { formatTable, type TriedCorpus } from './tried-corpus.ts';

const { values } = parseArgs({
  options: {
    jsonrepair: { type: 'string' },
    'json-repair': { type: 'string' },
    'pydantic-ai': { type: 'string' },
    ai: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});

const corpora: TriedCorpus[] = [];
if (values.jsonrepair !== undefined)
  corpora.push(tryJson('jsonrepair, test suite', values.jsonrepair, readJsonrepairCases));
if (values['json-repair'] !== undefined)
  corpora.push(tryJson('json_repair, test suite', values['json-repair'], readPythonCases));
if (values['pydantic-ai'] !== undefined) corpora.push(await replayCassettes(values['pydantic-ai']));
if (values.ai !== undefined) corpora.push(await replayFixtures(values.ai));
console.log(formatTable(corpora));
if (values.verbose)
  for (const { name, failures } of corpora)
    for (const one of failures) console.log(name, JSON.stringify(one));
process.exitCode = corpora.every(({ cases, failures }) => failures.length <= cases / 100) ? 0 : 1;

function tryJson(name: string, copy: string, read: typeof readJsonrepairCases): TriedCorpus {
  const results = read(copy).map(judgeJsonCase);
  const tried = results.filter(({ kind }) => kind !== 'no-object');
  const own = tried.filter(({ kind }) => kind === 'own-value');
  return {
    name,
    commit: readCommit(copy),
    cases: tried.length,
    notes: [
      `${results.length - tried.length} results that are no objects were left out`,
      `${own.length} own values`,
    ],
    failures: tried.filter(({ kind }) => kind === 'failed').map(({ id, detail }) => ({ id, reason: detail })),
  };
}
