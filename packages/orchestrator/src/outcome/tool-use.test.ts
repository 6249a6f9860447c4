import type { ToolModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { ToolUse } from './tool-use.ts';

/** Result of a call; `!` after its name: the call failed, `?`: its work failed. */
function toMessage(call: string): ToolModelMessage {
  const [, toolName = '', sign] = /^(\w+)([!?])?$/.exec(call) ?? [];
  const type = sign === '!' ? 'error-text' : 'text';
  const failed = sign === '?' ? { providerOptions: { agentRunner: { failure: 'exit code 1' } } } : {};
  const output = { type, value: '' } as const;
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName, output, ...failed }] };
}

function use(calls: string, { hasAgent = false } = {}) {
  const use = new ToolUse({ hasAgent });
  for (const call of calls.split(' ')) use.take(toMessage(call));
  return use;
}

describe('ToolUse', () => {
  it.each<[string, boolean]>([
    ['read_file', true],
    ['list_files', true],
    ['search_files', true],
    ['run_command', true],
    ['read_comment', true],
    ['read_output', false],
    ['read_file!', false],
    ['run_command?', false],
    ['write_file', false],
    ['fetch_page', false],
    ['read_file! search_files', true],
  ])('finds in %s whether something was read: %s', (calls, hasRead) => {
    expect(use(calls).hasRead).toBe(hasRead);
  });

  it('counts each tool of an agent as a read', () => {
    expect(use('Glob').hasRead).toBe(false);
    expect(use('Glob', { hasAgent: true }).hasRead).toBe(true);
    expect(use('Glob!', { hasAgent: true }).hasRead).toBe(false);
  });

  it.each<[string, boolean]>([
    ['edit_file run_command', true],
    ['edit_file run_command?', false],
    ['edit_file run_command run_command?', false],
    ['edit_file run_command? run_command', true],
    ['run_command edit_file', false],
    ['edit_file run_command read_file', true],
    ['edit_file', false],
    ['edit execute', true],
  ])('finds in %s whether the last change was checked: %s', (calls, hasChecked) => {
    expect(use(calls).hasChecked).toBe(hasChecked);
  });
});
