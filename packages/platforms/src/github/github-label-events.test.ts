import { expect, it } from 'vitest';
import { onSimulator, type SimulatorFixture } from '../../test/fixtures/simulator-fixture.ts';
import { contractWorld } from '../testing/index.ts';

const { repository } = contractWorld;
const fork = 'mallory/hello';
const label = 'coding agent';

/** A pull request from the fork of somebody who may not write, labeled by the owner five seconds later. */
async function openFromFork(
  { simulator, people }: SimulatorFixture,
  options: { readonly private?: boolean } = {},
): Promise<number> {
  simulator.addUser({ login: 'mallory' });
  await simulator.addRepository({ owner: 'mallory', name: 'hello', forkOf: repository, ...options });
  const { number } = await openPull(simulator, '1');
  await people.passTime(5);
  simulator.addLabels(repository, number, [label]);
  return number;
}

const openPull = (simulator: SimulatorFixture['simulator'], content: string) =>
  simulator.openPullRequest({
    repo: repository,
    author: 'mallory',
    title: `Fix ${content}`,
    headBranch: 'fix',
    headRepository: fork,
    files: { 'a.txt': content },
  });

const eventOf = ({ platform, keyOfChangeRequest }: SimulatorFixture, number: number) =>
  platform.openThread(keyOfChangeRequest(number)).labelEvents?.lastLabeled(label) ?? null;

it("knows a fork's head that was pushed before the label for older, whatever its commits say [NX-22]", () =>
  onSimulator(async (fixture) => {
    const number = await openFromFork(fixture);
    expect(await eventOf(fixture, number)).toMatchObject({ actor: { login: 'octo' }, editsSince: [] });
    const routes = fixture.simulator.requests.slice(-2).map(({ path }) => path.split('?')[0]);
    expect(routes).toEqual(['/graphql', '/repos/mallory/hello/activity']);
  }));

it("lists who pushed to a fork's head after the label [NX-22]", () =>
  onSimulator(async (fixture) => {
    const number = await openFromFork(fixture);
    await expect(openPull(fixture.simulator, '2')).rejects.toThrow('Validation Failed');
    const event = await eventOf(fixture, number);
    expect(event?.editsSince).toMatchObject([{ part: 'head', actor: { login: 'mallory' } }]);
  }));

it('cannot say how old the head of a fork is that it may not see [NX-22]', () =>
  onSimulator(async (fixture) => {
    const number = await openFromFork(fixture, { private: true });
    const event = await eventOf(fixture, number);
    expect(event?.editsSince).toMatchObject([{ part: 'head', actor: null }]);
  }));

it('asks once about a branch of the repository itself, to which only those push who may [NX-22]', () =>
  onSimulator(async (fixture) => {
    const { simulator, people } = fixture;
    const key = await people.openPullRequest({ author: 'alice', title: 'Own', headBranch: 'own' });
    await people.addLabels(key, [label]);
    const before = simulator.requests.length;
    const thread = fixture.platform.openThread(key);
    expect(await thread.labelEvents?.lastLabeled(label)).toMatchObject({ editsSince: [] });
    expect(simulator.requests.length - before).toBe(1);
  }));

it('calls an app by the name that REST has for it, and a deleted account nobody [NX-21]', () =>
  onSimulator(async (fixture) => {
    const { simulator, key, platform } = fixture;
    const events = platform.openThread(key).labelEvents;
    simulator.addUser({ login: 'triage[bot]', type: 'Bot' });
    simulator.addUser({ login: 'gone' });
    simulator.addLabels(repository, 1, ['one'], { by: 'triage[bot]' });
    simulator.addLabels(repository, 1, ['two'], { by: 'gone' });
    simulator.deleteUser('gone');
    expect((await events?.lastLabeled('ONE'))?.actor).toMatchObject({ login: 'triage[bot]', kind: 'bot' });
    expect((await events?.lastLabeled('two'))?.actor).toBe(null);
  }));

it('says that a thread is not there', () =>
  onSimulator(async ({ platform, missingKey }) => {
    const asking = platform.openThread(missingKey).labelEvents?.lastLabeled(label);
    await expect(asking).rejects.toMatchObject({ code: 'not-found' });
  }));

it('says who assigned an account, and takes it off again without the others', () =>
  onSimulator(async ({ simulator, platform, people, key }) => {
    const own = await platform.identity.whoAmI();
    const { history, assignees, reader } = platform.openThread(key);
    expect(await history?.lastAssigned(own)).toBeNull();
    simulator.assign(repository, 1, [own.login], { by: 'alice' });
    await people.passTime(1);
    expect(await history?.lastAssigned(own)).toMatchObject({ actor: { login: 'alice' }, editsSince: [] });
    await assignees?.unassign(own);
    await assignees?.unassign(own);
    expect((await reader.readThread()).assignees).toEqual([]);
    await assignees?.assign(own);
    expect(await history?.lastAssigned(own)).toMatchObject({ actor: { login: own.login } });
  }));

it('says who edited a comment last, however many were written since [NX-71]', () =>
  onSimulator(async ({ simulator, people, platform, key }) => {
    if (!('number' in key)) throw new Error('this is no key of GitHub');
    const { number } = key;
    const first = simulator.comment({ repo: repository, number, author: 'alice', body: 'one' });
    const history = platform.openThread(key).history;
    const lastEdit = () => history?.lastCommentEdit?.(String(first.id));
    expect(await lastEdit()).toBeNull();
    await people.passTime(5);
    simulator.editComment(repository, first.id, 'two', { by: 'octo' });
    for (let index = 0; index < 101; index += 1)
      simulator.comment({ repo: repository, number, author: 'alice', body: 'more' });
    expect(await lastEdit()).toMatchObject({ actor: { login: 'octo' } });
    simulator.deleteComment(repository, first.id);
    await expect(lastEdit()).rejects.toMatchObject({ code: 'not-found' });
  }));
