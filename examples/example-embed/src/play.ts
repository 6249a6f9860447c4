import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGitHubSimulator } from '@agent/simulators/github';
import { type ConversationView, type ScriptedReply, startScriptedModel } from '@agent/simulators/model';
import { createOpenAI } from '@ai-sdk/openai';
import { embedAgent } from './embed.ts';

const repo = 'ann/hello';

/** Writes the requested greeting, in Japanese as soon as a comment asks for it. */
function playModel({ messages, exchanges }: ConversationView): ScriptedReply {
  const isJapanese = messages.some(({ text }) => text.includes('In Japanese'));
  const greeting = isJapanese ? 'こんにちは\n' : 'Hello\n';
  const isWritten = exchanges.some(({ name, input }) => name === 'write_file' && input?.content === greeting);
  if (isWritten) return { text: `The greeting is in greeting.txt: ${greeting}` };
  return { toolCalls: [{ name: 'write_file', input: { path: 'greeting.txt', content: greeting } }] };
}

/** Results of the play. */
export interface Left {
  readonly comments: readonly { readonly author: string | null; readonly body: string }[];
  readonly pullRequest: { readonly title: string; readonly draft: boolean } | null;
}

/** Plays a request to a program that embeds the agent: a run starts, receives a comment while it works, and delivers a result. */
export async function play(tell: (line: string) => void): Promise<Left> {
  const directory = await mkdtemp(join(tmpdir(), 'embed-'));
  const github = await startGitHubSimulator();
  for (const login of ['ann', 'helper']) github.addUser({ login });
  github.addToken({ token: 'helper-token', login: 'helper' });
  await github.addRepository({ owner: 'ann', name: 'hello', collaborators: { helper: 'write' } });
  const { number } = github.openIssue({
    repo,
    author: 'ann',
    title: 'A greeting',
    body: 'Please write one.',
  });
  let requests = 0;
  const scripted = await startScriptedModel({
    script: playModel,
    onRequest: () => {
      requests += 1;
      if (requests !== 2) return;
      tell('ann comments while the agent works: In Japanese, please.');
      github.comment({ repo, number, author: 'ann', body: 'In Japanese, please.' });
    },
  });
  const model = createOpenAI({ baseURL: scripted.baseUrl, apiKey: 'none' }).chat('scripted-model');
  const ended = new AbortController();
  const { server, orchestrator } = embedAgent(
    { token: 'helper-token', baseUrl: github.url, repositories: [repo], writeSpacingMs: 0 },
    { model, directory },
    (thread, state) => {
      tell(`${thread}: ${state}`);
      if (state === 'completed' || state === 'failed') ended.abort();
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    tell(`A request gives the agent an issue: POST github_issue:ann:hello:${number}`);
    await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: `github_issue:ann:hello:${number}` });
    await orchestrator.run({ signal: ended.signal });
    const { comments } = github.thread(repo, number);
    const pull = github.threads(repo).find(({ pullRequest }) => pullRequest !== null);
    tell('The comments on the issue:');
    for (const { author, body } of comments) tell(`  @${author}: ${firstLine(body)}`);
    return {
      comments,
      pullRequest: pull?.pullRequest ? { title: pull.title, draft: pull.pullRequest.draft } : null,
    };
  } finally {
    server.close();
    await Promise.all([scripted.close(), github.close()]);
    await rm(directory, { recursive: true, force: true });
  }
}

function firstLine(body: string): string {
  return body.split('\n').find((line) => line !== '' && !line.startsWith('<!--')) ?? '';
}
