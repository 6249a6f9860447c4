// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import type { Forge } from '../support/forge.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const request = {
  title: 'The total is wrong',
  body: 'It forgets the quantity.',
  files: { 'NOTES.md': 'x\n' },
};

/** The request of the agent into a head that it does not push to. */
const findDraft = (forge: Forge, base: string) =>
  forge.changeRequests().findLast(({ changeRequest }) => changeRequest?.base === base);

const labels = ['coding agent'];

describe.each(forgesToTry('github'))('a request on %s whose head must not be pushed to', (name) => {
  async function run(prepare: (forge: Forge) => Promise<string>) {
    const here = await startWorld({ script: fixScript, forges: [name] });
    world = here;
    const reference = await prepare(here.forge);
    const { output } = await startDaemonProcess(here.configFile).exited;
    return { forge: here.forge, thread: here.forge.thread(reference), output };
  }

  async function expectDraft(forge: Forge, head: string) {
    expect(await forge.readFile(head, 'total.js')).not.toContain('line.quantity');
    const draft = findDraft(forge, head);
    expect(draft?.changeRequest).toMatchObject({ base: head, draft: true });
    expect(draft?.changeRequest?.head).toMatch(/^agent\/request-\d+-the-total-is-wrong$/);
    expect(draft?.body).toContain('Refs ');
    expect(draft?.body).not.toContain('Closes ');
    expect(await forge.readFile(draft?.changeRequest?.head ?? '', 'total.js')).toContain('line.quantity');
  }

  it('gets a draft into that head, if it is the default branch', async () => {
    const { forge, thread } = await run(async (at) => {
      await at.openChangeRequest({ ...request, title: 'Release', headBranch: 'release', labels: [] });
      const files = { 'M.md': 'm\n' };
      const seed = { ...request, files, headBranch: 'main', baseBranch: 'release', labels };
      return (await at.openChangeRequest(seed)).reference;
    });
    expect(thread.labels).toEqual(['coding agent done']);
    await expectDraft(forge, 'main');
  }, 60_000);

  it('gets a draft into that head, if it is protected', async () => {
    const { forge, thread } = await run(async (at) => {
      const { reference } = await at.openChangeRequest({ ...request, headBranch: 'stable', labels });
      await at.protectBranch('stable');
      return reference;
    });
    expect(thread.labels).toEqual(['coding agent done']);
    await expectDraft(forge, 'stable');
  }, 60_000);

  it('gets a draft into that head, if it is the base of another open request', async () => {
    const { forge, thread } = await run(async (at) => {
      const { reference } = await at.openChangeRequest({ ...request, headBranch: 'first', labels });
      const second = { ...request, files: { 'B.md': 'b\n' }, headBranch: 'second', baseBranch: 'first' };
      await at.openChangeRequest({ ...second, labels: [] });
      return reference;
    });
    expect(thread.labels).toEqual(['coding agent done']);
    expect(await forge.readFile('first', 'total.js')).not.toContain('line.quantity');
    const heads = forge.changeRequests().map(({ changeRequest }) => changeRequest?.head);
    expect(heads.some((head) => head?.startsWith('agent/request-'))).toBe(true);
  }, 60_000);
});
