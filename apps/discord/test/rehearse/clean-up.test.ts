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

  it('deletes a message that 100 newer messages hide in the list of the channel', async () => {
    fixture = await startRehearsalFixture();
    const { discord } = fixture;
    discord.grant('ManageThreads');
    discord.grant('ManageMessages');
    const { signal, onResult } = interruptAfter('conversation');
    await fixture.rehearse(
      {},
      {
        signal,
        onResult: (result) => {
          if (result.name === 'conversation') discord.people.fill(discord.generalId, 120);
          onResult(result);
        },
      },
    );
    expect(discord.threads()).toEqual([]);
    expect(textsOf(fixture, discord.generalId).filter((text) => text.includes('Rehearsal'))).toEqual([]);
  });

  it('lists the thread and the message if Discord answers no more', { timeout: 60_000 }, async () => {
    let isLost = false;
    fixture = await startRehearsalFixture({
      handle: async ({ forward }) =>
        isLost ? { status: 502, headers: {}, body: Buffer.from('') } : forward(),
    });
    const { signal, onResult } = interruptAfter('thread');
    const { output } = await fixture.rehearse(
      {},
      {
        signal,
        onResult: (result) => {
          isLost ||= result.name === 'thread';
          onResult(result);
        },
      },
    );
    expect(output).toMatch(/the thread of the rehearsal: 502\n +https:\S+\n/);
    expect(output).toMatch(/your message in the channel: 502\n +https:\S+\n/);
    expect(fixture.checkOf('clean-up')?.status).toBe('failed');
  });

  it('does not wait for the model after an interruption', { timeout: 60_000 }, async () => {
    fixture = await startRehearsalFixture({ environment: { LM_TIMEOUT_SECONDS: '600' } });
    const { lmStudio } = fixture;
    lmStudio.misbehave({ kind: 'hang', at: 'headers' });
    const ended = new AbortController();
    void lmStudio.until(() => lmStudio.inputs().length > 0).then(() => ended.abort(new Error('interrupted')));
    const { code } = await fixture.rehearse({}, { signal: ended.signal });
    expect(code).toBe(130);
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
    [{ channel: 'general' }, '--channel needs an ID'],
    [{ channel: 'MTA5OTk5.GabcDE.token-of-a-bot' }, '--channel needs an ID'],
    [{ output: '/missing/directory' }, '--output'],
  ])('changes nothing with the options %j', async (flags, message) => {
    fixture = await startRehearsalFixture();
    const error = await fixture.rehearse(flags).catch((caught: Error) => caught);
    expect(error).toMatchObject({ code: 'settings', message: expect.stringContaining(message) });
    expect(String(error)).not.toContain('token-of-a-bot');
    expect(textsOf(fixture, fixture.discord.generalId)).toEqual([]);
    expect(await fixture.listFiles()).toEqual([]);
  });
});
