// @module-tag full

import { repositoryChecks } from '@agent/rehearsal';
import { afterEach, expect, it } from 'vitest';
import { createPlannedRehearsalScript } from './planned-script.ts';
import { type RehearsalFixture, startRehearsalFixture } from './rehearsal-fixture.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

// Within an action, comments are polled for once a minute.
it('rehearses with pre-planning and a plan, although the configuration requires approval', {
  timeout: 900_000,
}, async () => {
  fixture = await startRehearsalFixture({
    forge: 'github',
    config: { planning: { approval: 'required' } },
    createScript: createPlannedRehearsalScript,
    stepMs: 2_000,
  });
  const { code, output } = await fixture.rehearse();
  const requests = JSON.stringify(fixture.model.requests);
  for (const mark of ['You prepare the work of a coding agent.', 'Planning phase: planning', 'task_2'])
    expect(requests).toContain(mark);
  const statuses = Object.fromEntries(fixture.checks.map(({ name, status }) => [name, status]));
  const passed = Object.fromEntries(repositoryChecks.map((name) => [name, 'passed']));
  expect(statuses, output).toEqual({ ...passed, webhook: 'not-supported', 'clean-up': 'not-supported' });
  expect(code).toBe(0);
});
