// @module-tag full
import type { Script } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { listTurns } from '../support/model-requests.ts';
import { need, onlyPrePlanning, withPreparation } from '../support/pre-planning-script.ts';
import { readState } from '../support/preparation-state.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };

/** The whole life of a run that may take so many steps, of which its work needs five. */
async function runWith(maxSteps: number, script: Script): Promise<World> {
  const config = { report: { style: 'seed' }, planning: onlyPrePlanning(), limits: { max_steps: maxSteps } };
  const here = await startWorld({ script, config });
  world = here;
  here.forge.openIssue(issue);
  const { code, output } = await startDaemonProcess(here.configFile).exited;
  const hasFailed = here.forge.thread('#1').labels.includes('coding agent failed');
  expect(code, output).toBe(hasFailed ? 1 : 0);
  return here;
}

const listNotices = ({ forge }: World) =>
  forge.thread('#1').comments.flatMap(({ body }) => /^## \S+ (.*)$/m.exec(body)?.[1] ?? []);
/** Those for getting ready, and the first step. */
const listQuestions = ({ model }: World) => {
  const turns = listTurns(model);
  const isStep = (turn: string) => turn.includes('You are a software engineer.');
  return { asked: turns.findIndex(isStep), step: turns.find(isStep) ?? '' };
};

describe('a run whose limit is short', () => {
  it('gets ready with a quarter of it and works with the rest, which is told [RL-14, PP-31]', async () => {
    const here = await runWith(6, withPreparation(fixScript));
    expect(here.forge.thread('#1').labels).toEqual(['coding agent done']);
    const { asked, step } = listQuestions(here);
    expect(asked).toBe(1);
    expect(step).toContain('primary goal: The total counts quantities');
    expect(listNotices(here).slice(0, 3)).toEqual([
      'Task analysis started',
      'Task understood',
      'Pre-planning ended early',
    ]);
    expect((await readState(here)).current_subphase).toBe('complete');
  });

  it('has spent what getting ready took of it [RL-14]', async () => {
    const here = await runWith(5, withPreparation(fixScript));
    const { labels, comments } = here.forge.thread('#1');
    expect(labels).toEqual(['coding agent failed']);
    expect(comments.at(-1)?.body).toContain('"limits.max_steps"');
    expect(listQuestions(here).asked).toBe(1);
  });

  it('begins its work at once where a quarter of it is no step', async () => {
    const here = await runWith(3, withPreparation(fixScript));
    expect(listQuestions(here).asked).toBe(0);
    expect(listNotices(here)[0]).toBe('Pre-planning ended early');
  });

  it('is not spent on further tries either; what stays undecided is a gap that says why [RL-14, PP-30]', async () => {
    const needs = [
      need('total', 'read_file', { description: 'The code that sums up' }),
      need('rounding', 'read_file', { description: 'How sums are rounded' }),
      need('currency', 'read_file', { description: 'Which currency it is' }),
    ];
    const prepared = withPreparation(fixScript, needs);
    const script: Script = (view) => {
      const reply = prepared(view);
      return reply.text?.startsWith('{"assumption"') ? { text: 'That is hard to say.' } : reply;
    };
    const here = await runWith(16, script);
    expect(here.forge.thread('#1').labels).toEqual(['coding agent done']);
    const { asked, step } = listQuestions(here);
    expect(asked).toBe(4);
    expect(step).toContain('sum + line.price');
    expect(step).toMatch(/Which currency it is[^\n]*pre-planning used up its share of the limits of the run/);
    const { information_gaps: gaps } = await readState(here);
    expect(gaps.map(({ info_id: id }) => id)).toEqual(['rounding', 'currency']);
    expect(listNotices(here).filter((notice) => notice === 'Pre-planning ended early')).toHaveLength(1);
  });
});
