import {
  CheckFailure,
  makeCheck,
  type RehearsedProcess,
  type Relay,
  type RelayedRequest,
  type ServerCheck,
  type Verdict,
  waitFor,
} from '@agent/rehearsal';
import { isNotice, isUnfinished } from '@agent/thread-context/chat';
import type { ServerCheckParts } from './create-advice.ts';
import type { DiscordRequests, ListedMessage } from './discord-requests.ts';

/** Longest waits of a rehearsal, in milliseconds. */
export interface WaitLimits {
  /** For something that Discord and the bot do without the model. */
  readonly platformMs: number;
  /** For the start of the bot, until it has connected. */
  readonly startMs: number;
  /** For an answer of the model. */
  readonly modelMs: number;
  /** For a step of the user. */
  readonly stepMs: number;
  /** Between two polls. */
  readonly intervalMs: number;
  /** Time after which a message that the bot received has to be listed. */
  readonly freshMs: number;
}

/** A message that the user wrote. */
export interface Question {
  readonly id: string;
  readonly channelId: string;
  readonly marker: string;
}

/** What a rehearsal has created so far, and has to remove. */
export interface CreatedItems {
  /** Random id in the texts of the user. */
  readonly id: string;
  readonly guildId: string;
  readonly channelId: string;
  /** True as soon as the user was asked for a message. */
  isAsked: boolean;
  readonly questions: Question[];
  /** Id of the thread, which is that of the first question; null before it is seen. */
  threadId: string | null;
}

/** Parts of a context. */
export interface RehearsalContextParts extends ServerCheckParts {
  readonly requests: DiscordRequests;
  readonly bot: { readonly id: string; readonly name: string };
  readonly channelName: string;
  readonly child: RehearsedProcess;
  /** Between the bot and Discord. */
  readonly discord: Relay;
  /** Between the bot and the model server; null with a module of the user. */
  readonly model: Relay | null;
  readonly created: CreatedItems;
  readonly waitLimits: WaitLimits;
  readonly tell: (text: string) => void;
}

/** Warnings of the bot that a failed check quotes. */
const quotedWarnings = 2;

/** The context of a rehearsal: the bot, Discord and the checks, with the ways in which checks wait and report. */
export class RehearsalContext {
  readonly parts: RehearsalContextParts;

  constructor(parts: RehearsalContextParts) {
    this.parts = parts;
  }

  /** Makes a check. What it throws is a failure, unless the rehearsal ends. @returns true if it passed */
  check(name: ServerCheck, make: () => Promise<Verdict>): Promise<boolean> {
    return makeCheck(this.parts, name, make);
  }

  /** Waits for something. @throws Error if there is nothing in time, or the bot exits */
  async until<Found>(
    kind: 'platform' | 'start' | 'model' | 'step',
    find: () => Promise<Found | null>,
  ): Promise<Found> {
    const { clock, child, texts } = this.parts;
    const beginAt = clock.now();
    const found = await this.waitFor(kind, find);
    if (found !== null) return found;
    if (kind === 'step') throw new CheckFailure(texts.stepNotSeen, texts.fixesByCause.step);
    const warnings = child.listWarnings(quotedWarnings).join(' · ');
    throw new Error(texts.nothingSeen(Math.round((clock.now() - beginAt) / 1_000), warnings));
  }

  /** Waits for something. @returns null if there is nothing in time. @throws CheckFailure if the bot exits */
  async waitFor<Found>(
    kind: 'platform' | 'start' | 'model' | 'step',
    find: () => Promise<Found | null>,
  ): Promise<Found | null> {
    const { clock, waitLimits, signal, child, texts } = this.parts;
    const poll = async () => {
      if (child.problem !== null)
        throw new CheckFailure(texts.botExited(child.problem), texts.fixesByCause.botExited);
      return find();
    };
    return waitFor(poll, {
      ...{ clock, signal, intervalMs: waitLimits.intervalMs, patienceMs: waitLimits[`${kind}Ms`] },
    });
  }

  /** Requests to the model whose newest message of the rehearsal is this one, oldest first. */
  listModelRequests(marker: string): readonly RelayedRequest[] {
    const { model, created } = this.parts;
    return (model?.requests ?? []).filter(({ body }) => {
      const last = body.lastIndexOf(`Rehearsal ${created.id}`);
      return last !== -1 && body.startsWith(`${marker}:`, last + 'Rehearsal '.length);
    });
  }

  /** Lists the messages of the channel, or of a thread; none if it does not exist. */
  async listMessages(channelId: string): Promise<readonly ListedMessage[]> {
    return (await this.parts.requests.listMessages(channelId)) ?? [];
  }

  /** Finds the messages of the bot that begin an answer to a question, in the thread and in the channel. */
  async findAnswers(question: Question): Promise<readonly ListedMessage[]> {
    const { bot, created } = this.parts;
    const places = new Set([question.channelId, created.channelId, question.id]);
    const found: ListedMessage[] = [];
    for (const place of places) {
      if (place === question.id && question.channelId !== created.channelId) continue;
      const all = await this.listMessages(place);
      const starts = ({ message_reference: reference }: ListedMessage): boolean => {
        const replied = reference?.message_id ?? null;
        return place === question.id ? replied === null : replied === question.id;
      };
      found.push(...all.filter((one) => one.author.id === bot.id && isWritten(one) && starts(one)));
    }
    return found;
  }

  /** Waits for the answer to a question. @throws CheckFailure if there is a notice instead */
  async untilAnswered(question: Question): Promise<ListedMessage> {
    const { texts, child } = this.parts;
    return this.until('model', async () => {
      const [answer] = await this.findAnswers(question);
      if (answer === undefined || isUnfinished(answer.content)) return null;
      if (!isNotice(answer.content)) return answer;
      const warnings = child.listWarnings(quotedWarnings).join(' · ');
      throw new CheckFailure(
        [texts.noticeInstead, ...(warnings === '' ? [] : [warnings])].join(': '),
        texts.fixesByCause.notice,
      );
    });
  }

  seconds(since: number): string {
    return ((this.parts.clock.now() - since) / 1_000).toFixed(1);
  }
}

/** Default and reply: what the bot writes. */
function isWritten({ type }: ListedMessage): boolean {
  return type === 0 || type === 19;
}
