import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentBed, createAgentBed } from '../../test/agents/agent-bed.ts';
import { actionAnswer, createPlanner, planForTest, planOf } from '../../test/plan-setup.ts';
import { createTool } from '../../test/run-setup.ts';
import { readEntries } from '../replay-journal.ts';
import { createAcpExecutor } from './acp-executor.ts';

let bed: AgentBed;

beforeEach(() => {
  bed = createAgentBed();
});

afterEach(() => bed.remove());

const secret = 'kitchen-sink-4711';
const hideKnownSecrets = (text: string) => text.replaceAll(secret, '[hidden]');

const does = [
  { title: `curl -H 'key: ${secret}' \u001b[31mhost\nnext line`, kind: 'execute' },
  { title: 'Reading total.js', kind: 'read' },
  { title: 'Ask "the" server', kind: 'other', name: 'mcp__files-read' },
  { title: 'A name that is none', kind: 'search', name: 'Searching for it.' },
  { title: `${'x'.repeat(195)}${secret}${'x'.repeat(500)}`, kind: 'execute' },
] as const;

describe('the calls of an agent', () => {
  it('have names that any provider takes; what the agent calls them is a title, hidden and cut [NX-303]', async () => {
    const { journal, events } = await bed.play({
      scripts: [{ calls: 5, does: [...does] }],
      task: { hideKnownSecrets },
    });
    const titles = [
      "curl -H 'key: [hidden]' host next line",
      'Reading total.js',
      'Ask "the" server',
      'A name that is none',
    ];
    const names = ['execute', 'read', 'mcp__files-read', 'search', 'execute'];
    for (const type of ['tool-started', 'tool-finished']) {
      const lines = journal.toolEvents.flatMap((line) =>
        line.type === type && 'tool' in line ? [line] : [],
      );
      expect(lines.map(({ tool }) => tool)).toEqual(names);
      expect(lines.slice(0, 4).map(({ title }) => title)).toEqual(titles);
      expect(lines[4]?.title).toHaveLength(200);
    }
    const ends = events.filter((event) => event.type === 'tool-end');
    expect(ends.map(({ tool, title }) => [tool, title]).slice(0, 2)).toEqual([
      ['execute', titles[0]],
      ['read', titles[1]],
    ]);
    expect(JSON.stringify([await readEntries(journal), journal.toolEvents, events])).not.toContain(
      secret.slice(0, 4),
    );
  });

  it('say what they were about in the conversation, where the agent gives no arguments [NX-303]', async () => {
    const { journal } = await bed.play({ scripts: [{ calls: 2, does: [...does] }] });
    const entries = await readEntries(journal);
    const calls = entries.flatMap((entry) =>
      entry.type === 'message' && entry.message.role === 'assistant' && Array.isArray(entry.message.content)
        ? entry.message.content.filter((part) => part.type === 'tool-call')
        : [],
    );
    expect(calls[1]).toMatchObject({ toolName: 'read', input: { title: 'Reading total.js' } });
  });

  it('fail an action only where no later one of their kind succeeds [NX-303]', async () => {
    const tests = { title: 'npm test', kind: 'execute', status: 'failed' } as const;
    const edit = { title: 'Edit total.js', kind: 'edit' } as const;
    const play = async (last: 'completed' | 'failed') => {
      const again = { title: 'npm test 2>&1 | tail', kind: 'execute', status: last } as const;
      const script = { calls: 3, does: [tests, edit, again], says: actionAnswer('task_1') };
      const { events } = await planForTest({
        model: createPlanner(planOf('a', 'b')),
        tools: { work: createTool(() => 'never') },
        agent: { executor: createAcpExecutor(bed.agent([script])) },
      });
      return events;
    };
    expect(await play('completed')).toContain('task_1 succeeded (1)');
    expect(await play('failed')).not.toContain('task_1 succeeded (1)');
  });
});
