import { type CallResult, readResult } from '@agent/runner';
import type { ModelMessage } from 'ai';
import { readCommentName } from '../thread/thread-shares.ts';

/** The last of them is the kind of call by which agents with their own tools name a command. */
const commands: ReadonlySet<string> = new Set(['run_command', 'run_shell', 'execute']);
const reads: ReadonlySet<string> = new Set([
  ...['read_file', 'list_files', 'search_files'],
  ...commands,
  readCommentName,
]);
const changes: ReadonlySet<string> = new Set([
  ...['write_file', 'edit_file', 'delete_file', 'merge_base'],
  ...['edit', 'delete', 'move'],
]);

/** Tool use of a run, folded over the messages of its journal. */
export class ToolUse {
  readonly #hasAgent: boolean;
  #hasRead = false;
  #hasChecked = false;

  /** `hasAgent`: an agent works on the run, and each of its own tools counts as a read. */
  constructor({ hasAgent }: { readonly hasAgent: boolean }) {
    this.#hasAgent = hasAgent;
  }

  /** True if at least one read of the repository or of the conversation succeeded. */
  get hasRead(): boolean {
    return this.#hasRead;
  }

  /** True if the last command after the last change succeeded. */
  get hasChecked(): boolean {
    return this.#hasChecked;
  }

  /** Tells whether a call of this tool reads the repository or the conversation. */
  isRead(tool: string): boolean {
    return this.#hasAgent || reads.has(tool);
  }

  take({ role, content }: ModelMessage): void {
    if (role !== 'tool') return;
    for (const part of content) if (part.type === 'tool-result') this.#takeResult(readResult(part));
  }

  #takeResult({ tool, status }: CallResult): void {
    if (status === 'unmade') return;
    if (changes.has(tool)) this.#hasChecked = false;
    if (commands.has(tool)) this.#hasChecked = status === 'success';
    if (status === 'success' && this.isRead(tool)) this.#hasRead = true;
  }
}
