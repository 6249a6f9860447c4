import { createLoginTokens } from '@agent/orchestrator/watch';
import { cleanLine } from '../../text/terminal-text.ts';
import { auditAct } from '../audit-act.ts';
import { CommandError, type CommandIo } from '../command-io.ts';
import { openDirectory } from '../open-directory.ts';

/** Options and arguments of the command line. */
export interface TokenFlags {
  readonly config: string;
  /** User who logs in with it, as shown in the audit log and on issues. */
  readonly name?: string | undefined;
  /** Days until it expires. */
  readonly days: string;
  readonly list?: boolean | undefined;
  readonly revoke?: boolean | undefined;
}

const maxNameChars = 100;

/**
 * `agent-daemon token`: creates, lists and revokes access tokens for the web UI, with or without a running daemon. A token is
 * printed once.
 *
 * @throws CommandError for an invalid name or number of days
 */
export async function tokenCommand(
  { config, name: given, days: givenDays, list = false, revoke = false }: TokenFlags,
  io: CommandIo,
): Promise<number> {
  const directory = await openDirectory({ config }, io);
  const { storage, texts } = directory;
  const tokens = createLoginTokens(storage.notes, { now: io.now });
  if (list) {
    const kept = await tokens.list();
    if (kept.length === 0) io.print(texts.token.none);
    for (const { holder, createdAt, expiresAt } of kept)
      io.print([createdAt.slice(0, 10), expiresAt.slice(0, 10), cleanLine(holder)].join('  '));
    return 0;
  }
  const name = cleanLine(given ?? '').trim();
  if (name === '' || name.length > maxNameChars) throw new CommandError(texts.token.noName);
  if (revoke) {
    const act = () => tokens.revoke(name);
    const wasThere = await auditAct(directory, { action: 'token-revoke', target: name }, { io, act });
    io.print(wasThere ? texts.token.revoked(name) : texts.token.unknown(name));
    return wasThere ? 0 : 1;
  }
  const days = Number(givenDays);
  if (!Number.isInteger(days) || days < 1 || days > 3_650) throw new CommandError(texts.token.noDays);
  const isReplaced = (await tokens.list()).some(
    ({ holder, expiresAt }) => holder === name && Date.parse(expiresAt) > io.now(),
  );
  const act = () => tokens.create(name, { days });
  const token = await auditAct(directory, { action: 'token-create', target: name }, { io, act });
  io.warn(texts.token.made(name, days));
  if (isReplaced) io.warn(texts.token.replaced(name));
  io.print(token);
  return 0;
}
