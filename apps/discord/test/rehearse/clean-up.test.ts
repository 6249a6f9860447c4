// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { type RehearsalFixture, startRehearsalFixture } from './rehearsal-fixture.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

/** Options that interrupt a rehearsal after a check. */
function interruptAfter(wanted: string) {
  const ended = new AbortController();
  const onResult = ({ name }: { readonly name: string }) => {
    if (name === wanted) ended.abort(new Error('interrupted'));
  };
  return { signal: ended.signal, onResult };
}

const textsOf = ({ discord }: RehearsalFixture, channelId: string) =>
  discord.lastMessages(channelId).map(({ content }) => content);

describe('the clean-up of agent-discord rehearse', () => {
  it('deletes everything with the permissions to manage threads and messages', async () => {
    fixture = await startRehearsalFixture();
    fixture.discord.grant('ManageThreads');
    fixture.discord.grant('ManageMessages');
    const { code, output } = await fixture.rehearse({}, interruptAfter('conversation'));
    expect(code, output).toBe(130);
    expect(fixture.checkOf('clean-up')).toMatchObject({ status: 'passed' });
    expect(fixture.discord.threads()).toEqual([]);
    expect(textsOf(fixture, fixture.discord.generalId)).toEqual([]);
    expect(await fixture.listFiles()).toEqual(['rehearsal.json']);
  });

  it('deletes the messages of the bot, archives the thread, and lists the rest without these permissions', async () => {
    fixture = await startRehearsalFixture();
    const { discord } = fixture;
    discord.people.say('alice', discord.generalId, 'A message of a user.');
    const { output } = await fixture.rehearse({}, interruptAfter('conversation'));
    const [thread] = discord.threads();
    expect(thread).toMatchObject({ thread_metadata: { archived: true } });
    const authors = discord.lastMessages(thread?.id ?? '').map(({ author }) => author.username);
    expect(new Set(authors)).toEqual(new Set(['alice']));
    expect(output).toMatch(/the thread of the rehearsal \(archived.*\): 403 Missing Permissions/);
    expect(output).toContain(`https://discord.com/channels/${discord.guildId}/${thread?.id}`);
    expect(output).toContain('your message in the channel: 403 Missing Permissions');
    expect(fixture.checkOf('clean-up')?.status).toBe('not-supported');
    expect(textsOf(fixture, discord.generalId)).toContain('A message of a user.');
  });

  it('removes nothing with --keep, and lists it', async () => {
    fixture = await startRehearsalFixture();
    const { output } = await fixture.rehearse({ keep: true }, interruptAfter('conversation'));
    expect(fixture.checkOf('clean-up')?.status).toBe('skipped');
    expect(output).toMatch(/the thread of the rehearsal: --keep\n +https:\S+\n/);
    expect(output).not.toContain('Removing');
    expect(fixture.discord.countRequests('DELETE /channels/:channel')).toBe(0);
  });

  it('removes a message that was written after the interruption was asked for', async () => {
    fixture = await startRehearsalFixture();
    fixture.discord.grant('ManageMessages');
    const ended = new AbortController();
    const tell = (text: string) => {
      if (text.startsWith('→')) setTimeout(() => ended.abort(new Error('interrupted')), 100);
    };
    const { output } = await fixture.rehearse({}, { signal: ended.signal, tell });
    expect(textsOf(fixture, fixture.discord.generalId), output).toEqual([]);
  });

  it.each([
    [{ yes: 'Another server' }, 'Not confirmed: the answer is not Simulated guild'],
    [{ yes: undefined }, 'Confirm with --yes "Simulated guild"'],
    [{ channel: undefined }, 'Pass the ID of a text channel with --channel'],
    [{ channel: 'general' }, '--channel: "general" is not an ID'],
    [{ output: '/missing/directory' }, '--output'],
  ])('changes nothing with the options %j', async (flags, message) => {
    fixture = await startRehearsalFixture();
    await expect(fixture.rehearse(flags)).rejects.toMatchObject({
      code: 'settings',
      message: expect.stringContaining(message),
    });
    expect(textsOf(fixture, fixture.discord.generalId)).toEqual([]);
    expect(await fixture.listFiles()).toEqual([]);
  });
});
