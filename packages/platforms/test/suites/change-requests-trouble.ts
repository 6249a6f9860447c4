import { expect, it } from 'vitest';
import type { HostedFixture, HostedWorld } from './hosted-world.ts';

/** The branch and the draft that these tests are about. */
export const headBranch = 'agent/issue-1-keep-it';
const joinBody = (_current: string | null, body: string) => body;
export const draft = { headBranch, baseBranch: 'main', title: 'Keep it', body: 'Closes #1', joinBody };

/** What becomes of a draft when answers are lost or others are quicker. */
export function changeRequestsTrouble<Fixture extends HostedFixture>(world: HostedWorld<Fixture>): void {
  it('opens one draft although the answer to its creation is lost [X15]', () =>
    world.on(async (fixture) => {
      const { simulator, platform, people, key } = fixture;
      await people.pushBranch(headBranch);
      simulator.fail({ method: 'POST', path: world.changeRequestPath, kind: 'reset-after-effect' });
      const opened = await platform.openThread(key).changeRequests?.ensureDraft(draft);
      expect(world.changeRequests(fixture)).toEqual([opened?.number]);
    }));

  it('takes the change request that somebody else opened a moment earlier', () =>
    world.on(async (fixture) => {
      const { connect, people, key } = fixture;
      await people.pushBranch(headBranch);
      let raced = false;
      const racing: typeof fetch = async (input, init) => {
        if (init?.method === 'POST' && !raced) {
          raced = true;
          await connect().openThread(key).changeRequests?.ensureDraft(draft);
        }
        return fetch(input, init);
      };
      const opened = await connect({ fetch: racing }).openThread(key).changeRequests?.ensureDraft(draft);
      expect(world.changeRequests(fixture)).toEqual([opened?.number]);
    }));

  it('asks the platform to change nothing when nothing changed', () =>
    world.on(async ({ simulator, platform, people, key }) => {
      await people.pushBranch(headBranch);
      const { changeRequests } = platform.openThread(key);
      await changeRequests?.ensureDraft(draft);
      const asked = simulator.requests.length;
      await changeRequests?.ensureDraft(draft);
      expect(simulator.requests.slice(asked).map(({ method }) => method)).toEqual(['GET']);
    }));
}
