import type { SourceComment } from '@agent/comment-detection';
// The whole agent: its own loop over the AI SDK's `generateText`, made durable by `@agent/orchestrator/run`.

import { ContextInheritanceManager, createPreviousRunReader } from '@agent/context-inheritance';
import { type OwnRun, type OwnTask, openRuns } from '@agent/orchestrator/run';
import {
  type Account,
  formatTaskKey,
  isSameAccount,
  type Platform,
  type TaskKey,
  toTaskKeyJson,
} from '@agent/platforms';
import { cleanUntrustedText } from '@agent/text';
import { generateText, jsonSchema, type LanguageModel, type ToolSet } from 'ai';

/** The shop at which the agent orders. */
export interface Shop {
  readonly order: (item: string) => Promise<string>;
  readonly listOrders: () => Promise<string>;
}

export interface AgentOptions {
  readonly platform: Platform;
  readonly model: LanguageModel;
  readonly shop: Shop;
  /** Holds the runs. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

const origins = {
  begun: 'started a run',
  recovered: 'recovered the run after a crash',
  resumed: 'resumed the run after a pause',
} as const satisfies Record<OwnRun['origin'], string>;
const ends = {
  end: 'finished it',
  pause: 'paused it',
  stop: 'stopped it',
  shutdown: 'left it for the next start',
} as const;

/** Works on one thread until the run ends, pauses or stops. @returns what it did, such as `started a run and finished it` */
export async function workOn(key: TaskKey, options: AgentOptions): Promise<string> {
  const { directory, signal } = options;
  const runs = await openRuns({ directory, signal });
  try {
    const reader = createPreviousRunReader(runs);
    const taken = await runs.take(await describeTask(key, options, new ContextInheritanceManager(reader)));
    if (taken.kind !== 'open') return `found the run ${taken.kind}`;
    const end = await runLoop(taken.run, options);
    return `${origins[taken.run.origin]} and ${ends[end]}`;
  } finally {
    await runs.close();
  }
}

const inputSchema = jsonSchema<{ item: string }>({
  type: 'object',
  properties: { item: { type: 'string' } },
  required: ['item'],
});
// Without `execute`: the loop runs the tools itself, after the answer that calls them is on disk.
const tools: ToolSet = {
  order: { description: 'Orders one item.', inputSchema },
  list_orders: { description: 'Lists what was ordered.', inputSchema: jsonSchema({ type: 'object' }) },
};

/** Repeats: check for pause, stop and new comments, call the model once, run its tools. */
async function runLoop(run: OwnRun, { model, shop, signal }: AgentOptions): Promise<keyof typeof ends> {
  let next = await run.next();
  for (; next === 'work'; next = await run.next()) {
    const messages = [...run.messages];
    const { response, toolCalls, usage } = await generateText({
      ...{ model, tools, messages, instructions: run.instructions, abortSignal: signal },
    });
    const { inputTokens = 0, outputTokens = 0 } = usage;
    await run.append(response.messages, { inputTokens, outputTokens });
    for (const { toolCallId, toolName, input } of toolCalls) {
      const value = toolName === 'order' ? await shop.order(String(input.item)) : await shop.listOrders();
      const result = { toolCallId, toolName, output: { type: 'text' as const, value } };
      await run.append([{ role: 'tool', content: [{ type: 'tool-result', ...result }] }]);
    }
  }
  if (next === 'pause') await run.pause();
  else if (next === 'shutdown') await run.leave();
  else {
    const finalText = readAnswer(run);
    const summary = { text: finalText, fields: {}, usage: { inputTokens: 0, outputTokens: 0 } };
    const status = next === 'stop' ? 'stopped' : 'completed';
    await run.conclude({ status, finalText, summary });
  }
  return next;
}

/** Describes the task: its thread, who is trusted, the first messages, and how a run shows its state. */
async function describeTask(
  key: TaskKey,
  { platform }: Pick<AgentOptions, 'platform'>,
  manager: ContextInheritanceManager,
): Promise<OwnTask> {
  const { reader, comments, permissions, writer } = platform.openThread(key);
  const own = await platform.identity.whoAmI();
  const clean = (text: string): string => cleanUntrustedText(text).text;
  const thread = { taskKey: toTaskKeyJson(key), taskKeyText: formatTaskKey(key), host: platform.host };
  const inherited = await manager.getInheritanceContext(thread);
  return {
    thread,
    comments,
    hearing: {
      botId: own.id,
      botUsername: own.login,
      cleanText: clean,
      authorityOf: async ({ author }) => {
        const account = toAccount(author);
        const access = account === null ? 'none' : await permissions?.accessOf(account);
        return access === 'write' || access === 'admin' ? 'trusted' : 'untrusted';
      },
    },
    describe: async () => ({
      user: own.login,
      inheritedFromUuid: inherited?.inheritedFromUuid ?? null,
      inheritanceDepth: inherited?.inheritanceDepth ?? 0,
    }),
    openConversation: async (snapshot) => {
      const { title, body } = await reader.readThread();
      const said = snapshot.comments
        .filter(({ author }) => !isSameAccount(toAccount(author), own))
        .map((comment) => `@${comment.author?.login ?? 'unknown'}: ${clean(comment.body)}`);
      return {
        instructions: [
          'You order the items that users ask for.',
          inherited && manager.createInheritedPrompt(inherited),
        ]
          .filter(Boolean)
          .join('\n\n'),
        messages: [{ role: 'user', content: [clean(title), clean(body), ...said].join('\n\n') }],
      };
    },
    show: async ({ status, finalText, topic }) => {
      await writer.ensureComment({
        topic,
        body: finalText ?? `The run is ${status === 'needs_input' ? 'paused' : status}.`,
      });
    },
  };
}

function toAccount(author: SourceComment['author']): Account | null {
  return author && { ...author, kind: author.kind ?? 'person' };
}

/** Reads the text of the model's last message. */
function readAnswer({ messages }: OwnRun): string {
  const content = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
