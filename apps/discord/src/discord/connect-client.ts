import { type Client, Events } from 'discord.js';
import { BotError } from '../bot-error.ts';
import { describeReason } from '../model/describe-reason.ts';

/** What people are told when Discord lets the bot not in. */
export interface LoginTexts {
  readonly wrongToken: string;
  readonly missingIntents: string;
  readonly discordUnreachable: (reason: string) => string;
}

const authenticationFailed = 4004;
const disallowedIntents = 4014;

/**
 * Logs in and waits until the bot knows its servers. `lost` rejects when Discord later shuts it out for good.
 *
 * @throws BotError `login`, whose message says what to click
 */
export async function connectClient(
  client: Client,
  { token, texts }: { readonly token: string; readonly texts: LoginTexts },
): Promise<{ readonly ready: Client<true>; readonly lost: Promise<never> }> {
  // The library would fail to send it, and say something about the network.
  if (!/^(?:Bot |Bearer )?[\x21-\x7e]+$/.test(token)) throw new BotError('login', texts.wrongToken);
  const lost = new Promise<never>((_, reject) => {
    client.once(Events.ShardDisconnect, ({ code }) => reject(toLoginError({ code }, texts)));
  });
  // Whoever waits for the end hears of it; nobody may be waiting yet.
  lost.catch(() => {});
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  const login = client.login(token).catch((error: unknown) => {
    throw toLoginError(error, texts);
  });
  try {
    const [client] = await Promise.race([Promise.all([ready, login]), lost]);
    return { ready: client, lost };
  } catch (error) {
    await client.destroy();
    throw error;
  }
}

function toLoginError(error: unknown, texts: LoginTexts): BotError {
  const { code, status, message } = error as { code?: unknown; status?: unknown; message?: string };
  const number =
    typeof status === 'number' ? `HTTP ${status}` : typeof code === 'number' ? String(code) : null;
  const isToken = code === 'TokenInvalid' || code === authenticationFailed || status === 401;
  const isIntents = code === disallowedIntents || message === 'Used disallowed intents';
  const text = isToken
    ? texts.wrongToken
    : isIntents
      ? texts.missingIntents
      : texts.discordUnreachable(number ?? describeReason(error));
  return new BotError('login', text, { cause: error });
}
