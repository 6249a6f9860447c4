// @module-tag full
import { followSteps } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import type { GitLabForge } from '../support/gitlab-forge.ts';
import { isNoStatusComment } from '../support/status-comments.ts';
import { repository, startWorld, type World, type WorldOptions } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const secret = 'Customer Miller pays late';
const about = { project: repository, reference: '#1', author: 'alice' } as const;

async function startOn(options: Partial<WorldOptions> = {}) {
  world = await startWorld({ script: fixScript, forges: ['gitlab'], ...options });
  const { simulator } = world.forge as GitLabForge;
  // A guest reads the issue and what everybody may read on it.
  simulator.addUser({ username: 'guest' });
  simulator.setAccess(repository, 'guest', 'guest');
  simulator.addToken({ token: 'of-the-guest', username: 'guest' });
  const seed = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
  world.forge.openIssue(seed);
  const seenByGuest = async (): Promise<string> => {
    const address = `${simulator.url}/api/v4/projects/${encodeURIComponent(repository)}/issues/1/notes`;
    const answer = await fetch(address, { headers: { 'private-token': 'of-the-guest' } });
    expect(answer.status).toBe(200);
    return answer.text();
  };
  const request = () => simulator.threads(repository).find(({ mergeRequest }) => mergeRequest !== null);
  return { at: world, simulator, seenByGuest, request };
}

const repeatsIt = followSteps([
  {
    toolCalls: [
      {
        name: 'edit_file',
        input: { path: 'total.js', old_text: 'line.price', new_text: 'line.price * line.quantity' },
      },
    ],
  },
  { text: `Done, because ${secret}.` },
]);

describe('an internal note', () => {
  it('that a run began with is told as internal, and what rests on it is told to nobody else [NX-27]', async () => {
    const { at, simulator, seenByGuest, request } = await startOn({ script: repeatsIt });
    simulator.note({ ...about, body: secret, internal: true });
    expect((await startDaemonProcess(at.configFile).exited).code).toBe(0);
    expect(JSON.stringify(at.model.requests[0]?.body)).toContain(`[Internal note: only members`);
    expect(await seenByGuest()).not.toContain('Miller');
    const ours = simulator
      .thread(repository, '#1')
      .notes.filter(({ author, system }) => author === 'robot' && !system)
      .filter(isNoStatusComment);
    expect(ours).toMatchObject([{ internal: true, body: expect.stringContaining(secret) }]);
    expect(request()).toMatchObject({ title: 'Draft: Work on issue #1' });
    expect(request()?.description).not.toContain('Miller');
  });

  it('that is heard under way makes the answer internal [NX-27]', async () => {
    const { at, simulator, seenByGuest, request } = await startOn({
      script: repeatsIt,
      config: { comment_detection: { enabled: true } },
      onModelRequest: () => {
        if (simulatorNotes() === 0) noteIt();
      },
    });
    const simulatorNotes = () =>
      simulator.thread(repository, '#1').notes.filter(({ internal }) => internal).length;
    const noteIt = () => simulator.note({ ...about, body: secret, internal: true });
    expect((await startDaemonProcess(at.configFile).exited).code).toBe(0);
    expect(await seenByGuest()).not.toContain('Miller');
    expect(request()?.description).not.toContain('Miller');
  });

  it('that a run heard is told to nobody else by the next one, which takes over what that run left, though the note is gone [NX-27]', async () => {
    const { at, simulator, seenByGuest, request } = await startOn({
      script: repeatsIt,
      config: { context_inheritance: { enabled: true } },
    });
    const { id } = simulator.note({ ...about, body: secret, internal: true });
    expect((await startDaemonProcess(at.configFile).exited).code).toBe(0);
    simulator.deleteNote(repository, id);
    for (const { id: own, author, system } of simulator.thread(repository, '#1').notes)
      if (author === 'robot' && !system) simulator.deleteNote(repository, own);
    at.forge.addLabels('#1', ['coding agent'], 'alice');
    const before = at.model.requests.length;
    expect((await startDaemonProcess(at.configFile).exited).code).toBe(0);
    const second = JSON.stringify(at.model.requests.slice(before));
    expect(second).toContain('[Internal note: only members');
    expect(second).toContain('Miller');
    expect(await seenByGuest()).not.toContain('Miller');
    expect(request()?.description).not.toContain('Miller');
  });
});
