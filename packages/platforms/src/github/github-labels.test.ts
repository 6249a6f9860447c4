import { describe, expect, it } from 'vitest';
import { onSimulator } from '../../test/fixtures/simulator-fixture.ts';
import { contractWorld } from '../testing/index.ts';

const { repository } = contractWorld;

describe("GitHub's labels", () => {
  it('gives a label that is missing the color and description of its style [RL-1]', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      const labelStyle = (name: string) => ({ color: 'ff8800', description: `about ${name}` });
      await connect({ labelStyle }).openThread(key).labels?.addLabel('coding agent done');
      const response = await fetch(`${simulator.url}/repos/${repository}/labels/coding%20agent%20done`, {
        headers: { authorization: 'Bearer token-of-agent' },
      });
      expect(await response.json()).toMatchObject({
        color: 'ff8800',
        description: 'about coding agent done',
      });
    }));

  it('never sends the whole list [RL-1]', () =>
    onSimulator(async ({ simulator, platform, people, key }) => {
      await people.addLabels(key, ['coding agent', 'bug']);
      const asked = simulator.requests.length;
      await platform.openThread(key).labels?.removeLabel('coding agent');
      await platform.openThread(key).labels?.addLabel('bug');
      expect(simulator.requests.slice(asked).map(({ method, path }) => `${method} ${path}`)).toEqual([
        `DELETE /repos/${repository}/issues/1/labels/coding%20agent`,
        `GET /repos/${repository}/labels/bug`,
        `POST /repos/${repository}/issues/1/labels`,
      ]);
    }));

  it('asks once whether the repository has a label', () =>
    onSimulator(async ({ simulator, platform, people, key }) => {
      await platform.openThread(key).labels?.addLabel('coding agent done');
      const other = await people.openIssue({ author: 'alice', title: 'another' });
      const asked = simulator.requests.length;
      await platform.openThread(other).labels?.addLabel('coding agent done');
      expect(simulator.requests.slice(asked).map(({ method }) => method)).toEqual(['POST']);
    }));

  it.each([404, 422])('asks again after GitHub refused a label that it was known to have (%i)', (status) =>
    onSimulator(async ({ simulator, connect, people, key }) => {
      let refused = false;
      const refuseOnce: typeof fetch = (input, init) => {
        if (init?.method !== 'POST' || !String(input).endsWith('/issues/2/labels') || refused)
          return fetch(input, init);
        refused = true;
        return Promise.resolve(Response.json({ message: 'no' }, { status }));
      };
      const platform = connect({ fetch: refuseOnce });
      await platform.openThread(key).labels?.addLabel('coding agent done');
      const other = platform.openThread(await people.openIssue({ author: 'alice', title: 'another' })).labels;
      await expect(other?.addLabel('coding agent done')).rejects.toThrow();
      const asked = simulator.requests.length;
      await other?.addLabel('coding agent done');
      expect(simulator.requests.slice(asked).map(({ method }) => method)).toEqual(['GET', 'POST']);
    }),
  );

  it('complains about a thread that is not there, unlike a label that is not', () =>
    onSimulator(async ({ platform, missingKey }) => {
      const { labels } = platform.openThread(missingKey);
      await expect(labels?.removeLabel('bug')).rejects.toMatchObject({ code: 'not-found' });
    }));
});
