import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { startGitHubSimulator } from '@agent/simulators/github';
import { type ConversationView, type ScriptedReply, startScriptedModel } from '@agent/simulators/model';

const repo = 'ann/hello';

/** Writes the greeting, and says so. The request for a summary of the run offers no tools. */
function playModel({ exchanges, tools }: ConversationView): ScriptedReply {
  const isWritten = exchanges.some(({ name }) => name === 'write_file');
  if (isWritten || tools.length === 0) return { text: 'The greeting is in greeting.txt.' };
  return { toolCalls: [{ name: 'write_file', input: { path: 'greeting.txt', content: 'Hello\n' } }] };
}

/** Results of the play. */
export interface PlayResult {
  readonly pullRequests: readonly string[];
  readonly reports: number;
  /** Number of tool calls that both processes received from the model. */
  readonly toolCalls: number;
  /** Rows of the runs after the crash, and at the end. */
  readonly rows: readonly (readonly RunRow[])[];
}

interface RunRow {
  readonly place: string;
  readonly lines: number;
}

/** Plays an agent with its runs in SQLite: it is killed during its second model call, started again, and finishes the run. */
export async function play(tell: (line: string) => void): Promise<PlayResult> {
  const directory = await mkdtemp(join(tmpdir(), 'sqlite-store-'));
  const github = await startGitHubSimulator();
  for (const login of ['ann', 'helper']) github.addUser({ login });
  github.addToken({ token: 'helper-token', login: 'helper' });
  await github.addRepository({ owner: 'ann', name: 'hello', collaborators: { helper: 'write' } });
  const issue = { title: 'A greeting', body: 'Please write one.', assignees: ['helper'] };
  const { number } = github.openIssue({ repo, author: 'ann', ...issue });
  let [requests, toolCalls] = [0, 0];
  let agent: ChildProcess | null = null;
  const model = await startScriptedModel({
    script: (view) => {
      const reply = playModel(view);
      if ('toolCalls' in reply) toolCalls += 1;
      return reply;
    },
    onRequest: () => {
      requests += 1;
      if (requests === 2) agent?.kill('SIGKILL');
    },
  });
  const environment = {
    ...{ GITHUB_API_URL: github.url, GITHUB_TOKEN: 'helper-token', REPOSITORY: repo },
    ...{ LLM_BASE_URL: model.baseUrl, RUNS: directory },
  };
  const start = async (): Promise<readonly RunRow[]> => {
    agent = spawnAgent(environment);
    const [code, signal] = await once(agent, 'close');
    const rows = readRows(directory);
    tell(`  It exited with ${signal ?? code}. Runs in the database:`);
    for (const { place, lines } of rows) tell(`    ${place}, ${lines} lines`);
    return rows;
  };
  try {
    tell(
      `1. ann assigns an issue to helper: ${issue.body} The agent starts, and is killed during its second model call.`,
    );
    const crashed = await start();
    tell('2. The agent starts again.');
    const ended = await start();
    const pullRequests = github.threads(repo).filter(({ pullRequest }) => pullRequest !== null);
    const { comments } = github.thread(repo, number);
    for (const { title } of pullRequests) tell(`Draft pull request: ${title}`);
    return {
      pullRequests: pullRequests.map(({ title }) => title),
      reports: comments.filter(({ body }) => body.includes('The greeting is in greeting.txt.')).length,
      ...{ toolCalls, rows: [crashed, ended] },
    };
  } finally {
    await Promise.all([model.close(), github.close()]);
    await rm(directory, { recursive: true, force: true });
  }
}

function spawnAgent(environment: Readonly<Record<string, string>>): ChildProcess {
  const program = fileURLToPath(new URL('./start-agent.ts', import.meta.url));
  const env = { ...process.env, ...environment };
  return spawn(process.execPath, ['--conditions=@agent/source', program], { env, stdio: 'inherit' });
}

function readRows(directory: string): readonly RunRow[] {
  const database = new DatabaseSync(join(directory, 'runs.sqlite'), { readOnly: true });
  const text = 'SELECT place, count(*) AS lines FROM runs JOIN lines USING (uuid) GROUP BY uuid';
  const rows = database
    .prepare(text)
    .all()
    .map(({ place, lines }) => ({ place: String(place), lines: Number(lines) }));
  database.close();
  return rows;
}
