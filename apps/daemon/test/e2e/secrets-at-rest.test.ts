// @module-tag full
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Script } from '@agent/simulators/model';
import { mapTexts } from '@agent/text';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { followPlan } from '../support/planning-script.ts';
import { withPreparation } from '../support/pre-planning-script.ts';
import { rejectedAssumption } from '../support/rejected-assumption.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** A token that this process does not know: only its form tells that it is a secret. */
const token = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_');
const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };

/** The same model, which repeats the token in every sentence of its plans and analyses. */
function indiscreet(script: Script): Script {
  return (view) => {
    const turn = script(view);
    const { text } = turn;
    if (text === undefined || !text.trimStart().startsWith('{')) return turn;
    const said = mapTexts(JSON.parse(text), (one) => (one.includes(' ') ? `${one} ${token}` : one));
    return { ...turn, text: JSON.stringify(said) };
  };
}

async function readFiles(directory: string): Promise<ReadonlyMap<string, string>> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const named = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return new Map(await Promise.all(named.map(async (path) => [path, await readFile(path, 'utf8')] as const)));
}

describe.each(forgesToTry('github'))('what a run on %s leaves on disk', (name) => {
  it('has no secret in a summary, a decision or a plan', async () => {
    const here = await startWorld({
      script: indiscreet(withPreparation(followPlan(rejectedAssumption))),
      summarize: () => ({
        summary: `It was done with ${token}.`,
        key_decisions: [
          {
            text: `Calls use ${token}.`,
            subject: `token ${token}`,
            source: 'thread',
            paths: ['total.js'],
            quote: token,
          },
        ],
      }),
      forges: [name],
      config: { planning: {} },
    });
    world = here;
    here.forge.openIssue(issue);
    const { code, output } = await startDaemonProcess(here.configFile, { nodeArguments: quickWaits }).exited;
    expect(code, output).toBe(0);
    const [uuid = ''] = await here.runs.list('completed');
    const files = await readFiles(join(here.directory, 'contexts', 'completed', uuid));
    const withToken = [...files]
      .filter(([, text]) => text.includes(token))
      .map(([path]) => path.split('/').at(-1));
    // The conversation itself is kept as it was: the agent must see code as it is.
    expect(
      withToken.filter((file) => !['messages.jsonl', 'current.jsonl', 'tools.jsonl'].includes(file ?? '')),
    ).toEqual([]);
    const [summaries] = [...files]
      .filter(([path]) => path.endsWith('summaries.jsonl'))
      .map(([, text]) => text);
    expect(summaries).toContain('It was done with [REDACTED].');
    expect([...files.keys()].some((path) => path.includes('/planning/'))).toBe(true);
  });
});
