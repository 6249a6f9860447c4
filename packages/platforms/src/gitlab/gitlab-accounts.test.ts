import { describe, expect, it } from 'vitest';
import { type GitLabFixture, onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import { contractWorld } from '../testing/index.ts';

const { repository: project } = contractWorld;

function accessOf({ simulator, platform, key }: GitLabFixture) {
  simulator.addUser({ username: 'carol' });
  return (id = '') =>
    platform.openThread(key).permissions?.accessOf({ id, login: 'carol', kind: 'person' }) ?? null;
}

/** Asks for alice's role where the members' address answers with these statuses, one after the other. */
async function askAlice({ connect, key }: GitLabFixture, statuses: number[]) {
  const failing: typeof fetch = async (input, init) =>
    String(input instanceof Request ? input.url : input).includes('/members/all')
      ? Response.json({ message: 'no' }, { status: statuses.shift() ?? 200 })
      : fetch(input, init);
  const alice = await connect({ token: 'token-of-alice' }).identity.whoAmI();
  return connect({ fetch: failing }).openThread(key).permissions?.accessOf(alice);
}

describe("GitLab's permissions", () => {
  it.each([
    ['owner', 'admin'],
    ['maintainer', 'admin'],
    ['developer', 'write'],
    ['reporter', 'read'],
    ['planner', 'read'],
    ['guest', 'read'],
    [null, 'none'],
  ] as const)('%s is %s [X11]', (role, access) =>
    onGitLab(async (fixture) => {
      const ask = accessOf(fixture);
      fixture.simulator.setAccess(project, 'carol', role);
      expect(await ask()).toBe(access);
    }),
  );

  it('has nothing for a member whose account is blocked [X11]', () =>
    onGitLab(async (fixture) => {
      const blocking: typeof fetch = async (input, init) => {
        const member = (await (await fetch(input, init)).json()) as object;
        return Response.json({ ...member, state: 'blocked' });
      };
      const platform = fixture.connect({ fetch: blocking });
      const alice = await fixture.connect({ token: 'token-of-alice' }).identity.whoAmI();
      expect(await platform.openThread(fixture.key).permissions?.accessOf(alice)).toBe('none');
    }));

  it('counts the role in a group above the project [X11]', () =>
    onGitLab(async (fixture) => {
      const ask = accessOf(fixture);
      fixture.simulator.moveProject(project, 'team/sub/hello');
      fixture.simulator.setAccess('team', 'carol', 'developer');
      expect(await ask()).toBe('write');
    }));

  it('has nothing for who is no member, even of a public project [X11]', () =>
    onGitLab(async (fixture) => {
      const ask = accessOf(fixture);
      expect(await ask('nobody')).toBe('none');
      expect(await ask()).toBe('none');
    }));

  it('has nothing for a name that nobody has, and for a member who may only know that the project is there [X11]', () =>
    onGitLab(async (fixture) => {
      const { permissions } = fixture.platform.openThread(fixture.key);
      expect(await permissions?.accessOf({ id: '', login: 'nobody', kind: 'person' })).toBe('none');
      const minimal: typeof fetch = async () => Response.json({ id: 1, access_level: 5 });
      const { permissions: asked } = fixture.connect({ fetch: minimal }).openThread(fixture.key);
      expect(await asked?.accessOf({ id: '1', login: 'alice', kind: 'person' })).toBe('none');
    }));

  it('takes an error after an answer that says 404 for no answer [NX-24]', () =>
    onGitLab(async (fixture) => {
      const statuses = [404, 500];
      await expect(askAlice(fixture, statuses)).rejects.toMatchObject({ code: 'unavailable' });
      expect(statuses).toEqual([]);
    }));

  it('does not ask again, nor take a role away, where the first answer is an error [NX-24]', () =>
    onGitLab(async (fixture) => {
      const statuses = [403, 404];
      await expect(askAlice(fixture, statuses)).rejects.toMatchObject({ code: 'forbidden' });
      expect(statuses).toEqual([404]);
    }));

  it('does not take a project that it may not see for an account without rights [X11]', () =>
    onGitLab(async (fixture) => {
      const ask = accessOf(fixture);
      fixture.simulator.deleteProject(project);
      await expect(ask()).rejects.toMatchObject({ code: 'not-found' });
    }));

  it('takes no role away because of one answer that says 404 [NX-24]', () =>
    onGitLab(async (fixture) => {
      let members = 0;
      const failing: typeof fetch = async (input, init) => {
        const isMember = String(input instanceof Request ? input.url : input).includes('/members/all');
        if (isMember) members += 1;
        return isMember && members === 1
          ? Response.json({ message: '404 Not found' }, { status: 404 })
          : fetch(input, init);
      };
      const platform = fixture.connect({ fetch: failing });
      const alice = await fixture.connect({ token: 'token-of-alice' }).identity.whoAmI();
      expect(await platform.openThread(fixture.key).permissions?.accessOf(alice)).toBe('write');
      expect(members).toBe(2);
    }));

  it('takes no role away while the address of the members says 404 to everything [NX-24]', () =>
    onGitLab(async (fixture) => {
      const failing: typeof fetch = async (input, init) =>
        String(input instanceof Request ? input.url : input).includes('/members/all')
          ? Response.json({ message: '404 Not found' }, { status: 404 })
          : fetch(input, init);
      const alice = await fixture.connect({ token: 'token-of-alice' }).identity.whoAmI();
      const { permissions } = fixture.connect({ fetch: failing }).openThread(fixture.key);
      await expect(permissions?.accessOf(alice)).rejects.toMatchObject({ code: 'not-found' });
    }));

  it('finds accounts by name, whatever its case [NX-24]', () =>
    onGitLab(async ({ platform, simulator }) => {
      simulator.addUser({ username: 'carol' });
      expect(await platform.accounts?.findAccount('Carol')).toMatchObject({ login: 'carol', kind: 'person' });
      expect(await platform.accounts?.findAccount('nobody')).toBe(null);
    }));
});
