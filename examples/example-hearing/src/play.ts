import type { Checkpoint } from '@agent/comment-detection/ai-sdk';
import { startGitHubSimulator } from '@agent/simulators/github';
import { Octokit } from '@octokit/rest';
import type { ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { fixExport } from './fix-export.ts';

const repo = 'alice/shop';

/** Plays the crash and the resumption. Shows what happened, then the final conversation, message by message. */
export async function play(show: (line: string) => void): Promise<readonly ModelMessage[]> {
  let clock = Date.parse('2026-01-01T10:00:00Z');
  const pass = () => {
    clock += 5_000;
    return clock;
  };
  const github = await startGitHubSimulator({ now: pass });
  for (const login of ['alice', 'bob', 'robot']) github.addUser({ login });
  github.addToken({ token: 'robot-token', login: 'robot' });
  await github.addRepository({
    owner: 'alice',
    name: 'shop',
    collaborators: { bob: 'write', robot: 'write' },
  });
  const { number } = github.openIssue({ repo, author: 'alice', title: 'Fix the export' });
  const say = (author: string, body: string) => void github.comment({ repo, number, author, body });
  const surroundings = {
    octokit: new Octokit({ auth: 'robot-token', baseUrl: github.url }),
    thread: { owner: 'alice', repo: 'shop', number },
    model: playModel(say),
    monotonicNow: pass,
    runTests: async () => {
      say('alice', 'In euros, please.');
      return '2 passed';
    },
  };
  try {
    const checkpoint = await crashAfterSecondStep(surroundings);
    show(`The program crashed. Its last checkpoint holds ${checkpoint.messages.length} messages.`);
    show('A second start resumes from the checkpoint and finishes. The whole conversation:');
    const messages = await fixExport('Fix the export.', {
      ...surroundings,
      from: checkpoint,
      keep: async () => {},
    });
    for (const message of messages) show(`  ${toLine(message)}`);
    return messages;
  } finally {
    await github.close();
  }
}

/** Crashes right after the checkpoint of the second step. The first checkpoint comes before the first request. */
async function crashAfterSecondStep(
  surroundings: Omit<Parameters<typeof fixExport>[1], 'keep'>,
): Promise<Checkpoint> {
  const kept: string[] = [];
  const keep = async (checkpoint: Checkpoint) => {
    kept.push(JSON.stringify(checkpoint));
    if (kept.length === 3) throw new Error('killed');
  };
  await fixExport('Fix the export.', { ...surroundings, keep }).catch(() => undefined);
  return JSON.parse(kept.at(-1) ?? '');
}

/** Creates a scripted model: it runs the tests, then answers twice. During the first answer bob comments. */
function playModel(say: (author: string, body: string) => void): MockLanguageModelV4 {
  let asked = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => {
      asked += 1;
      if (asked === 1)
        return toReply({ type: 'tool-call', toolCallId: '1', toolName: 'run_tests', input: '{}' });
      if (asked === 2) say('bob', 'And with a header.');
      return toReply({
        type: 'text',
        text: asked === 2 ? 'The export is in euros.' : 'It has a header now.',
      });
    },
  });
}

type Reply = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

function toReply(part: Reply['content'][number]): Reply {
  const count = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  return {
    content: [part],
    finishReason:
      part.type === 'text' ? { unified: 'stop', raw: 'stop' } : { unified: 'tool-calls', raw: 'tool_calls' },
    usage: { inputTokens: count, outputTokens: { total: 1, text: 1, reasoning: 0 } },
    warnings: [],
  };
}

function toLine({ role, content }: ModelMessage): string {
  const [part] = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  switch (part?.type) {
    case 'text':
      return `${role}: ${part.text.replaceAll('\n', ' ')}`;
    case 'tool-call':
      return `${role} calls ${part.toolName}`;
    case 'tool-result':
      return `${part.toolName} returns: ${part.output.type === 'text' ? part.output.value : part.output.type}`;
    default:
      return `${role}: ${part?.type}`;
  }
}
