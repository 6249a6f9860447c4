// @module-tag full
import { followSteps, type ModelRequest } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript, fixScript } from '../support/fix-script.ts';
import { itInFullInFiles, sampleOf } from '../support/samples.ts';
import { repository, startWorld, token, type World, type WorldOptions } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issueSeed = {
  repo: repository,
  author: 'alice',
  title: 'The total is wrong',
  body: 'It forgets the quantity.',
  labels: ['coding agent'],
};

/** Runs one issue in a world of its own and tells what stands on it in the end. */
async function runIssue(options: WorldOptions & { prepare?: (at: World) => unknown; seed?: object }) {
  world = await startWorld(options);
  const issue = world.gitHub.openIssue({ ...issueSeed, ...options.seed });
  await options.prepare?.(world);
  const exit = await startDaemonProcess(world.configFile).exited;
  const thread = world.thread(issue.number);
  return { exit, thread, comment: thread.comments.at(-1)?.body ?? '', world };
}

describe('a run that fails', () => {
  /** The endpoint answers short requests, such as a probe, and this run's as it is told. */
  const spoilRuns =
    (misbehavior: Parameters<World['model']['misbehave']>[0]) =>
    ({ body }: ModelRequest): void => {
      if (!JSON.stringify(body).includes('Answer with OK.')) world?.model.misbehave(misbehavior);
    };

  const isFailed = ({ thread }: { thread: { labels: readonly string[]; comments: readonly unknown[] } }) => {
    expect(thread.labels).toEqual(['coding agent failed']);
    expect(thread.comments).toHaveLength(1);
  };

  it('says why and what was tried, and is never labeled done [RL-8, RL-14]', async () => {
    const script = followSteps([{ toolCalls: [{ name: 'read_file', input: { path: 'missing.txt' } }] }]);
    const result = await runIssue({ script });
    isFailed(result);
    expect(result.comment).toContain('## ❌ Task failed');
    expect(result.comment).toContain('- `read_file` × 3');
    expect(result.comment).toContain('add the label `coding agent` again');
  });

  it('gets the label that the configuration names for failures [RL-8, X7]', {
    tags: ['release'],
  }, async () => {
    const result = await runIssue({
      script: answerScript,
      section: { failed_label: 'needs a person' },
      onModelRequest: spoilRuns({ kind: 'status', status: 422, message: 'no' }),
    });
    expect(result.thread.labels).toEqual(['needs a person']);
  });

  it('repeats what the endpoint said, and its address to nobody on the thread [NX-39]', {
    tags: ['full'],
  }, async () => {
    const result = await runIssue({
      script: answerScript,
      onModelRequest: (request) => {
        const message = `no such tool at ${world?.model.baseUrl}`;
        spoilRuns({ kind: 'status', status: 422, message })(request);
      },
    });
    isFailed(result);
    expect(result.comment).toContain('no such tool at the model endpoint');
    expect(result.comment).not.toContain(result.world.model.baseUrl);
    expect(result.comment).not.toContain(result.world.directory);
  });

  const nonsense = [
    ['answers nonsense', 'garbage'],
    ['answers a page of HTML', 'html'],
  ] as const;
  it.each(sampleOf(nonsense, ([, kind]) => kind === 'html'))(
    'says so when the endpoint %s to it alone',
    { tags: ['release'] },
    async (_what, kind) => {
      const result = await runIssue({ script: answerScript, onModelRequest: spoilRuns({ kind }) });
      isFailed(result);
      expect(result.comment).toMatch(/\*\*Reason:\*\* .{20,}/);
    },
  );

  it('says that the endpoint was too slow for this step, time after time', {
    tags: ['release'],
  }, async () => {
    const result = await runIssue({
      script: answerScript,
      llm: { step_timeout_seconds: 0.2 },
      onModelRequest: spoilRuns({ kind: 'hang' }),
    });
    isFailed(result);
    expect(result.comment).toContain(
      '**Reason:** The model did not answer within 0.2 seconds. Check the endpoint, or allow more time.',
    );
  });

  it('asks for a first commit in a repository without commits', async () => {
    const result = await runIssue({ script: fixScript, files: null });
    isFailed(result);
    expect(result.comment).toMatch(/commit/i);
  });
});

describe('the work of a run that fails', { tags: ['full'] }, () => {
  it('is pushed to its branch, which the comment links, and the command says that not all is well [NX-45, NX-47]', async () => {
    const result = await runIssue({ script: fixScript, config: { limits: { max_steps: 4 } } });
    expect(result.exit.code).toBe(1);
    expect(result.thread.labels).toEqual(['coding agent failed']);
    expect(result.comment).toMatch(
      /Unfinished changes pushed to:\*\* \[`agent\/issue-1-[a-z-]+`\]\(http:.*\/acme\/shop\/tree\/agent\/issue-1-[a-z-]+\) \(`[0-9a-f]{10}`\), 1 file/,
    );
    expect(result.world.gitHub.threads(repository)).toHaveLength(1);
    const [branch = ''] = /agent\/issue-1-[a-z-]+/.exec(result.comment) ?? [];
    expect(await result.world.forge.readFile(branch, 'total.js')).toContain('line.quantity');
  });
});

describe('a run that meets trouble and goes on', () => {
  it('tells the model what was wrong with a tool call that does not parse, and with a tool that is not there', {
    tags: ['full'],
  }, async () => {
    const result = await runIssue({
      script: fixScript,
      prepare: (at) => {
        at.model.misbehave({ kind: 'malformed-arguments' });
      },
    });
    expect(result.thread.labels).toEqual(['coding agent done']);
  });

  itInFullInFiles('works on an issue with no body, an odd title and 5,000 comments', async () => {
    let minutesAgo = 5_000;
    const result = await runIssue({
      script: fixScript,
      now: () => Date.now() - minutesAgo * 60_000,
      seed: { body: null, title: '\u202e🎉 عنوان 合計' },
      prepare: (at) => {
        for (let index = 0; index < 5_000; index += 1) {
          minutesAgo -= 1;
          at.gitHub.comment({ repo: repository, number: 1, author: 'bob', body: `comment ${index}` });
        }
      },
    });
    expect(result.exit.code).toBe(0);
    expect(result.thread.labels).toEqual(['coding agent done']);
    expect(JSON.stringify(result.world.model.requests[0]?.body)).toContain('comment 4999');
    // At its beginning and at its last poll; what it asks for beside that is news.
    const whole = result.world.gitHub.requests.filter(({ path }) => path.endsWith('&page=50'));
    expect(whole).toHaveLength(2);
  });

  itInFullInFiles('works on an issue with 1 MB of body, which GitLab takes', async () => {
    world = await startWorld({ script: fixScript, forges: ['gitlab'] });
    const body = `It forgets the quantity.\n${'A long story. '.repeat(71_000)}\nTHE END`;
    const { reference } = world.forge.openIssue({ title: issueSeed.title, body, labels: issueSeed.labels });
    const { environment } = world.forge;
    const exit = await startDaemonProcess(world.configFile, { environment }).exited;
    expect(exit.code).toBe(0);
    expect(world.forge.thread(reference).labels).toEqual(['coding agent done']);
    // The rest of a text that is longer than its share is read on demand.
    expect(JSON.stringify(world.model.requests[0]?.body)).toContain('read_comment');
  });

  it('keeps the token out of everything that it prints, writes or sends', async () => {
    const script = followSteps([
      {
        toolCalls: [
          { name: 'run_command', input: { command: 'node', args: ['-p', 'JSON.stringify(process.env)'] } },
        ],
      },
      { text: `My token is ${token}` },
    ]);
    const result = await runIssue({ script, config: { log: { level: 'debug' } } });
    expect(result.comment).toContain('My token is [REDACTED]');
    expect(result.exit.output).not.toContain(token);
    expect(JSON.stringify(result.world.model.requests)).not.toContain(token);
  });
});

describe('a daemon that cannot start', () => {
  it('says before it is ready that no model is named, or that its key is not set', async () => {
    world = await startWorld({ script: answerScript, llm: { base_url: null, model: null } });
    const nameless = await startDaemonProcess(world.configFile).exited;
    expect(nameless.code).toBe(1);
    expect(nameless.output).toContain('llm.model is not set');
    const environment = { LLM_MODEL: 'm' };
    const keyless = await startDaemonProcess(world.configFile, { environment }).exited;
    expect(keyless.code).toBe(1);
    expect(keyless.output).toContain('OPENAI_API_KEY is not set');
    for (const { output } of [nameless, keyless]) expect(output).not.toMatch(/ready|\n\s+at /);
  });
});
