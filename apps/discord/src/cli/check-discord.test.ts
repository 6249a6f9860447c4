import { type DiscordSimulator, startDiscordSimulator } from '@agent/simulators/discord';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../test/bot/fake-clock.ts';
import type { Finding } from '../check-model.ts';
import { parseSettings } from '../settings/parse-settings.ts';
import { terminalTextsEn } from '../terminal-texts.en.ts';
import { checkDiscord } from './doctor-command.ts';

interface Look {
  readonly prepare: (discord: DiscordSimulator) => void;
  /** What passes once the gateway was reached. Default: no time. */
  readonly waitMs?: number;
}

async function check({ prepare, waitMs = 0 }: Look): Promise<readonly Finding[]> {
  const discord = await startDiscordSimulator();
  prepare(discord);
  const clock = createFakeClock();
  const environment = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl };
  const found = checkDiscord(parseSettings(environment, terminalTextsEn), terminalTextsEn, { clock });
  await discord.until(() => discord.gatewayLog.length > 0);
  clock.advance(waitMs);
  const findings = await found;
  await discord.close();
  return findings;
}

const loggedIn: Finding = { state: 'well', text: terminalTextsEn.loggedIn('suzume', 1) };

describe('checkDiscord', () => {
  it('gives up when Discord says nothing for half a minute [TC-42]', async () => {
    const prepare = (discord: DiscordSimulator) => discord.setGatewayDeaf(true);
    expect(await check({ prepare, waitMs: 30_000 })).toEqual([
      { state: 'wrong', text: terminalTextsEn.discordUnreachable('30 s') },
    ]);
  });

  it('takes what cannot be a token for none, without asking Discord [TC-30, TC-42]', async () => {
    const settings = parseSettings({ DISCORD_TOKEN: '…' }, terminalTextsEn);
    expect(await checkDiscord(settings, terminalTextsEn)).toEqual([
      { state: 'wrong', text: terminalTextsEn.wrongToken },
    ]);
  });

  it('names the channels that take permissions away, and leaves out those that the bot does not see [TC-42, TC-57]', async () => {
    const prepare = (discord: DiscordSimulator) => {
      discord.revoke('CreatePublicThreads', discord.generalId);
      discord.revoke('SendMessages', discord.generalId);
      const news = discord.addChannel('news', 'announcement');
      discord.revoke('ReadMessageHistory', news);
      const secret = discord.addChannel('secret');
      discord.revoke('ViewChannel', secret);
      discord.addChannel('well');
      discord.revoke('AddReactions', discord.addChannel('voice', 'voice'));
    };
    const server = 'Simulated guild';
    expect(await check({ prepare })).toEqual([
      loggedIn,
      {
        state: 'note',
        text: terminalTextsEn.channelLacks(server, 'general', 'SendMessages, CreatePublicThreads'),
      },
      { state: 'note', text: terminalTextsEn.channelLacks(server, 'news', 'ReadMessageHistory') },
    ]);
  });

  it('says once what the bot lacks on the whole server [TC-42]', async () => {
    const prepare = (discord: DiscordSimulator) => {
      discord.revoke('AddReactions');
      discord.revoke('ReadMessageHistory', discord.generalId);
    };
    const server = 'Simulated guild';
    expect(await check({ prepare })).toEqual([
      loggedIn,
      { state: 'wrong', text: terminalTextsEn.missingPermissions(server, 'AddReactions') },
      { state: 'note', text: terminalTextsEn.channelLacks(server, 'general', 'ReadMessageHistory') },
    ]);
  });
});
