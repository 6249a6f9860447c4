import { outcomes } from '@agent/run-store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readComment } from './comment-view.ts';
import { listLogging, readEndLine, readLog } from './log-view.ts';
import { now, type Situation } from './situation.ts';
import { openSituationBed, type SituationBed } from './situation-bed.ts';
import { situations } from './situations.ts';

let bed: SituationBed;
beforeAll(async () => {
  bed = await openSituationBed();
});
beforeEach(() => bed.clear());
afterAll(() => bed.close());

const toMinutes = (since: string | null): number | null =>
  since === null ? null : Math.round((now - Date.parse(since)) / 60_000);

/** Causes with the minutes since their start, as the JSON of a view has them. */
function causesOf(problems: readonly { readonly cause: string; readonly since: string | null }[]) {
  return Object.fromEntries(problems.map(({ cause, since }) => [cause, toMinutes(since)]));
}

describe('the views of the service', () => {
  it('are compared in at least forty situations', () => {
    expect(new Set(situations.map(({ name }) => name)).size).toBe(situations.length);
    expect(situations.length).toBeGreaterThanOrEqual(40);
  });

  it.each(situations.map((one) => [one.name, one] as const))('agree when %s', async (_, situation) => {
    await bed.play(situation);
    const { causes = {}, status, run = null, reason = null } = situation.expected;
    const command = await bed.askStatus();
    expect(causesOf(command.service.problems)).toEqual(causes);
    for (const { what, remedy } of command.service.problems) {
      expect(command.text).toContain(what);
      expect(command.text).toContain(remedy);
    }
    if (situation.viewer === null) expect(command.service.status).toBe(status);
    if (run !== null && situation.record !== undefined)
      expect(command.runs).toEqual([expect.objectContaining({ state: run })]);
    if (situation.record !== undefined && reason !== null && run !== 'needs_input' && run !== 'in_review')
      expect(command.text).toContain(reason);
    if (situation.viewer !== null) await compareEndpoints(situation);
    compareComment(situation);
    await compareLogs(situation);
  });
});

/** Words of the wait that a status comment and the reason of a run share. */
const waits: Readonly<Record<string, RegExp>> = {
  approval: /\bplan\b/,
  answer: /an answer/,
  held: /2 held changes/,
  'follow-up': /reviews/,
};

function compareComment(situation: Situation): void {
  const { record = 'none', expected } = situation;
  const comment = readComment(situation);
  if ('why' in comment) {
    expect(comment.why).toMatch(/\.$/);
    return;
  }
  // The next process continues what was interrupted: the record has a run that is not over.
  expect(comment.state === 'interrupted' ? 'running' : comment.state).toBe(expected.run);
  const wait = waits[record];
  if (wait === undefined) {
    expect(comment.text).not.toMatch(/Waiting for:.*(?:review|answer|held)/);
    return;
  }
  expect(comment.text).toMatch(wait);
  expect(expected.reason).toMatch(wait);
}

async function compareLogs(situation: Situation): Promise<void> {
  const { record = 'none', expected } = situation;
  const { causes = {} } = expected;
  const logging = listLogging(situation);
  const logs = await Promise.all(
    logging.map(async (process) => readLog(process, await bed.readServiceAt(process.number))),
  );
  const lines = logs.flatMap(({ begun }) => begun);
  // Each start has a first poll that is due; where no process runs, none logs.
  const { starting: _, ...logged } = causes;
  const named = new Set(lines.map(({ fields }) => String(fields.cause)));
  expect([...named].toSorted()).toEqual(logging.length === 0 ? [] : Object.keys(logged).toSorted());
  for (const [cause, minutes] of Object.entries(logging.length === 0 ? {} : logged)) {
    const starts = lines.flatMap(({ fields: { cause: of, since } }) =>
      of === cause && typeof since === 'string' ? [toMinutes(since)] : [],
    );
    if (starts.length > 0) expect(Math.max(...starts.map(Number))).toBe(minutes);
  }
  for (const { begun, ended } of logs) expect(ended).toHaveLength(begun.length);
  const outcome = outcomes.find((one) => one === record);
  if (outcome === undefined) return;
  const line = readEndLine(outcome, expected.reason ?? null);
  expect(line).toMatchObject({
    level: outcome === 'failed' || outcome === 'partial' ? 'warn' : 'info',
    fields: { status: outcome, reason: expected.reason ?? null, step: 3 },
  });
}

async function compareEndpoints(situation: Situation): Promise<void> {
  const { causes = {}, status, run = null, reason = null } = situation.expected;
  const ready = await bed.askReadiness();
  expect([ready.code, ready.body.status, causesOf(ready.body.problems)]).toEqual([
    status === 'ready' || status === 'degraded' ? 200 : 503,
    status,
    causes,
  ]);
  const tasks = await bed.askTasks();
  if (causes.database === undefined) expect(causesOf(tasks.service?.problems ?? [])).toEqual(causes);
  const metrics = await bed.askMetrics();
  const counted = [...metrics.matchAll(/^agent_daemon_problems\{cause="(\w+)"\} 1$/gm)];
  expect(counted.map(([, cause]) => cause).toSorted()).toEqual(Object.keys(causes).toSorted());
  const page = await bed.visit();
  for (const { what, remedy } of ready.body.problems) {
    expect(page.health).toContain(what);
    expect(page.health).toContain(remedy);
  }
  for (const { what } of ready.body.problems.slice(0, 3)) expect(page.board).toContain(what);
  if (ready.body.problems.length === 0) expect(page.board).toMatch(/id="problems"[^>]* hidden>/);
  if (run === null) return;
  expect(page.rows.map(({ state }) => state)).toEqual([run]);
  if (reason !== null) expect(page.rows[0]?.reason).toContain(reason);
}
