import type { Leftover } from '@agent/rehearsal';
import { DiscordRequestError, type DiscordRequests } from './discord-requests.ts';
import type { CreatedItems } from './rehearsal-context.ts';
import type { RehearsalTexts } from './texts.en.ts';

/** Options of a clean-up. */
export interface CleanUpOptions {
  /** Requests that an interruption does not end. */
  readonly requests: DiscordRequests;
  readonly botId: string;
  readonly created: CreatedItems;
  readonly texts: RehearsalTexts;
}

type CreatedItem = Pick<Leftover, 'what'> & { readonly url: string };

/** Address of a channel, thread or message in Discord. */
function toPage({ guildId }: CreatedItems, channelId: string, messageId?: string): string {
  return [
    'https://discord.com/channels',
    guildId,
    channelId,
    ...(messageId === undefined ? [] : [messageId]),
  ].join('/');
}

/** Lists what a rehearsal has created so far: the thread, and the first message of the user. */
export function listCreated(created: CreatedItems, { left }: RehearsalTexts): readonly CreatedItem[] {
  const { channelId, threadId, questions, isAsked } = created;
  if (!isAsked) return [];
  const [first] = questions;
  return [
    ...(threadId === null ? [] : [{ what: left.thread, url: toPage(created, threadId) }]),
    first === undefined
      ? { what: left.possible, url: toPage(created, channelId) }
      : { what: left.question, url: toPage(created, channelId, first.id) },
  ];
}

/** Removes the thread and the messages of a rehearsal. @returns what stays */
export async function cleanUp(options: CleanUpOptions): Promise<readonly Leftover[]> {
  const { requests, botId, created, texts } = options;
  if (!created.isAsked) return [];
  const left: Leftover[] = [];
  const remove = async (what: string, url: string, act: () => Promise<void>): Promise<boolean> => {
    const reason = await attempt(act);
    if (reason !== null) left.push({ what, url, ...reason });
    return reason === null;
  };
  try {
    const inChannel = (await requests.listMessages(created.channelId)) ?? [];
    const listed = inChannel.filter(
      ({ author, content }) => author.id !== botId && content.includes(`Rehearsal ${created.id}-`),
    );
    // The list ends with the 100 newest messages of the channel.
    const known = created.questions.filter(({ channelId }) => channelId === created.channelId);
    for (const id of new Set([...listed, ...known].map((message) => message.id))) {
      await removeThread(options, id, left);
      const answers = inChannel.filter(
        ({ author, message_reference: reference }) => author.id === botId && reference?.message_id === id,
      );
      for (const answer of answers)
        await remove(texts.left.answer, toPage(created, created.channelId, answer.id), () =>
          requests.deleteMessage(created.channelId, answer.id),
        );
      await remove(texts.left.question, toPage(created, created.channelId, id), () =>
        requests.deleteMessage(created.channelId, id),
      );
    }
  } catch (error) {
    const reason = (error as Error).message;
    const others = listCreated(created, texts).filter(({ url }) => left.every((one) => one.url !== url));
    left.push(...others.map((item) => ({ ...item, reason, isPermanent: false })));
  }
  return left;
}

/** Deletes a thread; if that is refused, deletes the messages of the bot in it and archives it. */
async function removeThread(
  { requests, botId, created, texts }: CleanUpOptions,
  id: string,
  left: Leftover[],
): Promise<void> {
  const messages = await requests.listMessages(id);
  if (messages === null) return;
  const url = toPage(created, id);
  const refused = await attempt(() => requests.deleteThread(id));
  if (refused === null) return;
  for (const message of messages) {
    const own = message.author.id === botId && (message.type === 0 || message.type === 19);
    if (own) await attempt(() => requests.deleteMessage(id, message.id));
  }
  const open = await attempt(() => requests.archiveThread(id));
  if (open === null) left.push({ what: texts.left.archived, url, ...refused });
  else left.push({ what: texts.left.thread, url, ...open });
}

/** Acts once. @returns why it failed; null if it did not */
async function attempt(act: () => Promise<void>): Promise<Pick<Leftover, 'reason' | 'isPermanent'> | null> {
  try {
    await act();
    return null;
  } catch (error) {
    const isPermanent = error instanceof DiscordRequestError && error.status === 403;
    return { reason: (error as Error).message, isPermanent };
  }
}
