import type { CommentChange } from '@agent/comment-detection';
import type { RunControls } from '@agent/context-inheritance';
import type { DaemonLogger } from '../log/logger.ts';
import type { Acknowledgements } from './create-acknowledgements.ts';
import { type IsTrusted, toAccount } from './create-trust.ts';
import { parseCommand } from './parse-command.ts';

export interface CommandObeyerOptions {
  readonly uuid: string;
  readonly controls: RunControls;
  readonly isTrusted: IsTrusted;
  /** Tells people whether their command was obeyed. */
  readonly acknowledge: Acknowledgements['give'];
  readonly logger: DaemonLogger;
}

/**
 * Makes what carries out the commands of trusted people, each once, in the order in which they were given: of a pause
 * and a resume the later one holds. Where nobody can say whose words may steer, nothing is obeyed.
 */
export function createCommandObeyer(
  options: CommandObeyerOptions,
): (changes: readonly CommentChange[]) => Promise<void> {
  const { uuid, controls, isTrusted, acknowledge, logger } = options;
  const obeyed = new Set<string>();
  return async (changes) => {
    for (const { kind, comment } of changes) {
      const command = kind === 'deleted' ? null : parseCommand(comment.body);
      const name = `${comment.id} ${command}`;
      if (command === null || obeyed.has(name)) continue;
      const trusted = await isTrusted(toAccount(comment.author)).catch(() => null);
      if (trusted === false) acknowledge('refused', [comment.id]);
      if (trusted !== true) continue;
      obeyed.add(name);
      logger.info(
        { command, comment: comment.id, author: comment.author?.login },
        'a command was given on the thread',
      );
      await controls.drop(uuid, command);
      acknowledge('done', [comment.id]);
    }
  };
}
