// @module-tag release
import {
  type ModelServerRows,
  type RowKind,
  readServers,
  startModelServer,
} from '@agent/simulators/model-servers';
import { afterEach, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { sampleOf } from '../support/samples.ts';
import { repository, startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** Kinds of answers that one run gets, one after the other; the last one ends it. */
const kinds: readonly RowKind[] = [
  ...(['no credit', 'wrong key', 'malformed', 'rate limit', 'refusal', 'tool call'] as const),
  // A second answer without a call in a row would end the run.
  ...(['overflow', 'length limit', 'parallel calls', 'text'] as const),
];

/** The answers of each run. All but the first run get a single one. */
function listRuns({ rows, rules }: ModelServerRows) {
  // A field that has to come back is in known answers only.
  const usable = rows.filter(({ source }) => rules.returns === undefined || source !== null);
  const find = (kind: RowKind) => rows.filter((row) => row.kind === kind);
  // A known answer names sizes that are not those of this request. What they leave can be too little for a run.
  const overflows = find('overflow').filter(({ source }) => source !== null);
  const first = kinds
    .flatMap((kind) => usable.filter((row) => row.kind === kind))
    .filter((row) => row.expected !== 'fails' && !overflows.includes(row));
  return [
    first.at(-1)?.kind === 'text' ? first : [...first, ...find('text')],
    find('reasoning'),
    rows.filter(({ expected }) => expected === 'fails'),
    overflows,
  ];
}

/** Servers with a rule of their own, and the two that people have most; `packages/runner/test/conformance` has the answers of all. */
const isChosen = ({ name, rules }: ModelServerRows): boolean =>
  (rules.refuses?.length ?? 0) > 0 || rules.returns !== undefined || ['LM Studio', 'OpenAI'].includes(name);

it.each(sampleOf(readServers(), isChosen))(
  'the daemon finishes tasks with the answers of $name',
  async (server) => {
    const runs = listRuns(server).filter((rows) => rows.length > 0);
    await using model = await startModelServer({ rows: runs.flat(), rules: server.rules });
    world = await startWorld({
      script: () => ({ text: 'unused' }),
      api: 'chat',
      llm: { base_url: model.baseUrl, model: 'm' },
      config: { planning: { enabled: false }, concurrency: 1 },
    });
    const { gitHub } = world;
    const issues = runs.map((_, index) =>
      gitHub.openIssue({
        repo: repository,
        author: 'alice',
        title: `The total ${index} is wrong`,
        body: 'It forgets the quantity. '.repeat(400),
        labels: ['coding agent'],
      }),
    );
    let output = '';
    // Each refused account holds the queue until the daemon is started again.
    for (let starts = 0; starts < 4 && model.left().length > 0; starts += 1)
      output += (await startDaemonProcess(world.configFile, { nodeArguments: quickWaits }).exited).output;
    expect(
      model.left().map(({ kind }) => kind),
      output,
    ).toEqual([]);
    for (const { number } of issues)
      expect(world.thread(number).labels, output).toEqual(['coding agent failed']);
    // The answers do no work, which is what a run reports; an answer that ends it has another reason.
    const causes = [...output.matchAll(/"error_class":"(\w+)"/g)].map(([, cause]) => cause);
    expect(causes.filter((cause) => cause === 'no_work').length, output).toBeGreaterThanOrEqual(2);
    if (runs.at(-1)?.[0]?.kind === 'overflow') expect(output).toContain('shortening prompt after refusal');
  },
);
