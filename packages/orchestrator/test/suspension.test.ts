// @module-tag full
import { expect, it, onTestFinished } from 'vitest';
import { startExpiriesBed } from './expiries-bed.ts';
import { createStepModel, startWork } from './expiring-work.ts';

const steps = 4;

/** Line of the log after which the credential is taken away, and what the operator is told. */
const moments = {
  'before its first step': { message: 'started task' },
  'before its push': { message: 'run event', name: 'before_finish' },
} as const;
const reasons = { github: /end its suspension/, gitlab: /GitLab refused the token/ };
/** Both platforms in `npm run test:release`. */
const forges = (['github', 'gitlab'] as const).filter(
  (name) => name === 'github' || process.env.TEST_RELEASE === '1',
);
const cases = forges.flatMap((name) =>
  (Object.keys(moments) as (keyof typeof moments)[]).map((moment) => [name, moment] as const),
);

/** Finds what was said twice, or lost: on the thread by the agent, and to the model of what people said. */
function findFaults(
  { forge }: Pick<Awaited<ReturnType<typeof startExpiriesBed>>, 'forge'>,
  { prompt, said }: { readonly prompt: string; readonly said: readonly string[] },
): readonly string[] {
  const { labels, comments } = forge.thread();
  const own = comments.filter(({ author }) => author === forge.agent).map(({ body }) => body);
  const markers = own.map((body) => /<!-- [^>]*-->/.exec(body)?.[0]);
  // Each stands below its author's name; the last request also lists them once more, to be summarized.
  const unquoted = prompt.replaceAll('=====\\n> ', '=====\\n');
  const countHeard = (text: string) => unquoted.split(`=====\\n${text}`).length - 1;
  const ends = own.filter((body) => body.includes('All of it is done.')).length;
  return [
    ...(ends === 1 ? [] : [`${ends} reports`]),
    ...(new Set(markers).size === own.length ? [] : [`markers ${markers.join()}`]),
    ...(labels.join() === 'coding agent done' ? [] : [`labels ${labels.join()}`]),
    ...(forge.countDrafts() === 1 ? [] : [`${forge.countDrafts()} drafts`]),
    ...said
      .filter((text) => countHeard(text) !== 1)
      .map((text) => `"${text}" was heard ${countHeard(text)} times`),
  ];
}

it.each(cases)(
  'on %s a run whose credential is taken away %s stays open, tells the operator why, and goes on once it is given back [NX-208]',
  async (name, moment) => {
    const bed = await startExpiriesBed(name);
    onTestFinished(bed.close);
    const { forge, pass, issued } = bed;
    forge.label('coding agent');
    let isShutOut = false;
    bed.onLog((message, fields) => {
      if (
        isShutOut ||
        !Object.values(moments[moment]).every((part) => JSON.stringify({ message, fields }).includes(part))
      )
        return;
      isShutOut = true;
      forge.shutOut(issued.at(-1)?.value ?? '');
      forge.say('Said meanwhile.');
    });
    const { model, prompts } = createStepModel(steps, async () => pass(20_000));
    const sleep = async (milliseconds: number) => pass(milliseconds);
    const first = startWork(bed, { model, sleep }).orchestrator;
    await first.run({ once: true });
    expect(isShutOut).toBe(true);

    expect(first.board.state.counts.runsEnded).toMatchObject({ completed: 0, failed: 0, stopped: 0 });
    const condition = first.board.state.conditions.get(`platform:${name}`);
    expect(condition?.state).toBe('waiting');
    expect(condition?.reason).toMatch(reasons[name]);
    await forge.restore();
    pass(60_000);
    const second = startWork(bed, { model, sleep }).orchestrator;
    expect(await second.run({ once: true })).toBe(true);
    expect(findFaults(bed, { prompt: prompts.at(-1) ?? '', said: ['Said meanwhile.'] })).toEqual([]);
    const conditions = [...second.board.state.conditions.values()];
    expect(conditions.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(await bed.findLeaks()).toEqual([]);
  },
  120_000,
);

it.each(forges)(
  'on %s a run whose credential is away for some steps goes on with its work, and hears afterwards what was said meanwhile [NX-208]',
  async (name) => {
    const bed = await startExpiriesBed(name);
    onTestFinished(bed.close);
    const { forge, pass, issued } = bed;
    forge.label('coding agent');
    const { model, prompts } = createStepModel(steps, async (step) => {
      pass(20_000);
      if (step === 1) {
        forge.say('Said before.');
        forge.shutOut(issued.at(-1)?.value ?? '');
        forge.say('Said meanwhile.');
      }
      if (step === steps) await forge.restore();
    });
    const { orchestrator } = startWork(bed, { model });
    expect(await orchestrator.run({ once: true })).toBe(true);
    const said = ['Said before.', 'Said meanwhile.'];
    expect(findFaults(bed, { prompt: prompts.at(-1) ?? '', said })).toEqual([]);
    expect(await bed.findLeaks()).toEqual([]);
  },
  120_000,
);
