import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { project, projectApi, refusal, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
  trial.simulator.openIssue({ project, author: 'reporter', title: 'Talk' });
});

afterEach(() => trial.close());

const say = (body: string, more: object = {}) =>
  trial.simulator.note({ project, reference: '#1', author: 'reporter', body, ...more });

describe('emoji on notes of the simulated GitLab', () => {
  it('are given once each, listed, and taken away by their giver', async () => {
    const { id } = say('x');
    const { IssueNoteAwardEmojis: awards } = trial.api();
    const eyes = await awards.award(project, 1, id, 'eyes');
    expect(eyes).toMatchObject({ name: 'eyes', user: { username: 'agent' }, awardable_type: 'Note' });
    expect(await refusal(awards.award(project, 1, id, 'eyes'))).toMatchObject({ status: 404 });
    expect(trial.simulator.thread(project, '#1').notes[0]?.awards).toEqual([
      { author: 'agent', name: 'eyes' },
    ]);
    expect(await awards.all(project, 1, id)).toEqual([eyes]);
    const other = trial.api('guest-token').IssueNoteAwardEmojis;
    expect((await refusal(other.remove(project, 1, id, eyes.id))).status).toBe(401);
    await awards.remove(project, 1, id, eyes.id);
    expect(await awards.all(project, 1, id)).toEqual([]);
  });

  it('move the time of the note that carries them, and not that of its thread', async () => {
    const { id } = say('x');
    const before = trial.simulator.thread(project, '#1');
    trial.pass(3_600_000);
    await trial.api().IssueNoteAwardEmojis.award(project, 1, id, 'eyes');
    const after = trial.simulator.thread(project, '#1');
    expect(after.updatedAt).toBe(before.updatedAt);
    const movedMs =
      Date.parse(after.notes[0]?.updatedAt ?? '') - Date.parse(before.notes[0]?.updatedAt ?? '');
    expect(movedMs).toBeGreaterThanOrEqual(3_600_000);
  });

  it('are put on threads too, and not on system notes', async () => {
    const { status } = await trial.rest(`${projectApi}/issues/1/award_emoji`, {
      method: 'POST',
      body: { name: 'thumbsup' },
    });
    expect(status).toBe(201);
    expect((await trial.api().Issues.show(1, { projectId: project })).upvotes).toBe(1);
    const { id } = say('assigned to nobody', { system: true });
    expect((await refusal(trial.api().IssueNoteAwardEmojis.award(project, 1, id, 'eyes'))).status).toBe(404);
  });
});
