import { describe, expect, it } from 'vitest';
import { contractWorld } from '../src/testing/index.ts';
import { onSimulator } from './fixtures/simulator-fixture.ts';

const { repository } = contractWorld;

describe('A sub-issue of GitHub', () => {
  it('names its parent with title and text', () =>
    onSimulator(async ({ simulator, platform, key }) => {
      const { reader } = platform.openThread(key);
      expect(await reader.readParent?.()).toBeNull();
      const parent = simulator.openIssue({
        repo: repository,
        author: 'bob',
        title: 'New shop',
        body: 'All of it',
      });
      simulator.setParent(repository, 1, parent.number);
      const number = parent.number;
      expect(await reader.readParent?.()).toMatchObject({ number, title: 'New shop', body: 'All of it' });
    }));

  it('has no parent where that was deleted or transferred', () =>
    onSimulator(async ({ simulator, platform, key }) => {
      const { reader } = platform.openThread(key);
      const [one, two] = ['one', 'two'].map((title) =>
        simulator.openIssue({ repo: repository, author: 'bob', title }),
      );
      simulator.setParent(repository, 1, one?.number ?? 0);
      simulator.deleteThread(repository, one?.number ?? 0);
      expect(await reader.readParent?.()).toBeNull();
      await simulator.addRepository({
        owner: 'octo',
        name: 'other',
        files: { a: 'a' },
        collaborators: { agent: 'write' },
      });
      simulator.setParent(repository, 1, two?.number ?? 0);
      simulator.transferIssue(repository, two?.number ?? 0, 'octo/other');
      expect(await reader.readParent?.()).toBeNull();
    }));
});
