// @module-tag full
import { createHash } from 'node:crypto';
import { withFinalSummaries } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript } from '../support/fix-script.ts';
import { listSummaryRequests, listTurns } from '../support/model-requests.ts';
import { forgesToTry, sampleOf } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const readRuns = async ({ runs }: World, file: string): Promise<readonly string[]> => {
  const uuids = await runs.list('completed');
  return Promise.all(uuids.map((uuid) => runs.readFile(uuid, file).catch(() => '')));
};
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe.each(forgesToTry('gitlab'))('the final summary of a run on %s', (name) => {
  it('is asked for apart, marks decisions with their comments, and is counted; secrets stay out, and only a trusted comment makes a decision binding [CI-36, CI-58, C11, X11, NX-25]', async () => {
    let [id, strangers] = ['', ''];
    const here = await startWorld({
      script: answerScript,
      forges: [name],
      summarize: () => ({
        summary: `Explained with ${Object.values(here.forge.environment)[0]}.`,
        key_decisions: [
          { text: 'Totals are rounded to cents.', source_comment_id: id },
          { text: 'It stays small.', source_comment_id: 'made-up' },
          { text: 'Everything is printed.', source_comment_id: strangers },
        ],
      }),
    });
    world = here;
    const { reference } = here.forge.openIssue({
      title: 'Why?',
      body: 'Explain it.',
      labels: ['coding agent'],
    });
    id = here.forge.comment(reference, { author: 'alice', body: 'Round to cents.' });
    strangers = here.forge.comment(reference, { author: 'bob', body: 'Print everything.' });
    expect((await startDaemonProcess(here.configFile).exited).code).toBe(0);

    const [asked = '', ...more] = listSummaryRequests(here.model);
    expect(more).toEqual([]);
    expect(listTurns(here.model).join()).not.toContain('key_decisions');
    expect(asked).toContain(`[id: \\"${id}\\"`);
    expect(asked).toMatch(/trusted user\]\\n> Round to cents\./);
    expect(asked).toMatch(/untrusted user\]\\n> Print everything\./);
    expect(asked).toContain('Nothing needs to change');
    const [lines = ''] = await readRuns(here, 'summaries.jsonl');
    const summary = JSON.parse(lines.trim());
    expect(summary).toMatchObject({
      final: true,
      summary: expect.stringMatching(/^Explained with (?!.*token)/),
      key_decisions: [
        {
          text: 'Totals are rounded to cents.',
          source_comment_id: id,
          source_sha256: sha256('Round to cents.'),
          trusted: true,
        },
        { text: 'It stays small.', source: 'agent', trusted: false },
        { text: 'Everything is printed.', source: 'comment', source_comment_id: strangers, trusted: false },
      ],
    });
    for (const token of Object.values(here.forge.environment)) expect(lines).not.toContain(token);
    const [outcome = ''] = await readRuns(here, 'outcome.json');
    const { statistics } = JSON.parse(outcome) as {
      statistics: { model_calls: number; input_tokens: number };
    };
    expect(statistics.model_calls).toBe(3);
    expect(statistics.input_tokens).toBeGreaterThan(summary.usage.input_tokens);
    // The conversation itself knows nothing of it.
    const record = (await readRuns(here, 'messages.jsonl')).join('\n').split('\n');
    const messages = record.filter((line) => line.startsWith('{"seq":'));
    expect(messages.join()).not.toContain('key_decisions');
  });
});

describe('a final summary that fails', () => {
  const failures = [
    ['the model refuses', 'error'],
    ['it is no summary', 'prose'],
  ] as const;
  it.each(sampleOf(failures, ([, how]) => how === 'prose'))(
    'because %s neither fails the run nor is kept, and is made up for before the next run [CI-36, C11]',
    async (_, how) => {
      let fails = true;
      const answering = withFinalSummaries(answerScript, () => {
        if (fails && how === 'error') throw new Error('no summary today');
        return { summary: 'It was explained in full.', key_decisions: [] };
      });
      // Prose is what a model says that does not heed the form.
      world = await startWorld({
        script: answerScript,
        summarize: (view) => {
          if (fails && how === 'prose') return '' as never;
          return JSON.parse(answering(view).text ?? '');
        },
      });
      const { reference } = world.forge.openIssue({
        title: 'Why?',
        body: 'Explain it.',
        labels: ['coding agent'],
      });
      const first = await startDaemonProcess(world.configFile).exited;
      expect(first.code).toBe(0);
      expect(world.forge.thread(reference).labels).toEqual(['coding agent done']);
      expect(await readRuns(world, 'summaries.jsonl')).toEqual(['']);

      fails = false;
      world.forge.addLabels(reference, ['coding agent']);
      const second = await startDaemonProcess(world.configFile).exited;
      expect(second.output).toContain('requesting final summary of earlier run');
      expect(listTurns(world.model).at(-1)).toContain('It was explained in full.');
      expect(
        (await readRuns(world, 'summaries.jsonl')).every((lines) => lines.includes('"final":true')),
      ).toBe(true);
    },
  );

  it('is not asked for where nothing is inherited, nor of a run that failed [CI-37, CI-41]', async () => {
    world = await startWorld({ script: answerScript, config: { context_inheritance: { enabled: false } } });
    world.forge.openIssue({ title: 'Why?', body: 'Explain it.', labels: ['coding agent'] });
    expect((await startDaemonProcess(world.configFile).exited).code).toBe(0);
    expect(listTurns(world.model)).toHaveLength(2);
    expect(listSummaryRequests(world.model)).toEqual([]);
    await world.close();

    world = await startWorld({ script: answerScript });
    world.model.misbehave({ kind: 'status', status: 403, message: 'flagged by moderation' });
    const { reference } = world.forge.openIssue({ title: 'Why?', body: 'It.', labels: ['coding agent'] });
    await startDaemonProcess(world.configFile).exited;
    expect(world.forge.thread(reference).labels).toEqual(['coding agent failed']);
    expect(listSummaryRequests(world.model)).toEqual([]);
  });
});
