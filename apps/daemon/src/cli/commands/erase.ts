import {
  type ErasedPerson,
  type ErasurePlan,
  erasePerson,
  findStoredPerson,
  isNothingToErase,
  type PersonQuery,
  planErasure,
} from '@agent/orchestrator/people';
import type { Prompt } from '../../init/ask-answers.ts';
import { cleanLine } from '../../text/terminal-text.ts';
import { auditAct } from '../audit-act.ts';
import { CommandError, type CommandIo } from '../command-io.ts';
import { type PersonFlags, peopleTexts, toPersonQuery } from '../find-person.ts';
import { type OpenedDirectory, openDirectory } from '../open-directory.ts';
import type { PeopleTexts } from '../people-texts.en.ts';

/** Options of the command line. */
export interface EraseFlags extends PersonFlags {
  readonly config: string;
  readonly yes?: boolean | undefined;
}

type Directory = OpenedDirectory<'platforms'>;

/**
 * `agent-daemon erase`: replaces the name and the texts of a person by a mark in everything that is stored of runs that have ended. Asks first. A
 * directory is taken for itself, so that no daemon works there at the same time; in a database, runs of other processes are not touched.
 *
 * @returns the exit code: 1 if something has to wait, or was not confirmed
 * @throws CommandError for invalid options; ContextStoreError when a daemon works in a directory
 */
export async function eraseCommand(
  { config, yes = false, ...named }: EraseFlags,
  { io, prompt }: { readonly io: CommandIo; readonly prompt: Prompt | null },
): Promise<number> {
  const directory = await openDirectory({ config, needs: ['platforms'] }, io);
  const texts = peopleTexts[directory.locale];
  const query = toPersonQuery(named, directory);
  const { plan } = await findPlan(directory, query);
  if (isNothingToErase(plan)) {
    io.print(texts.nothing);
    return printRest({ plan, failed: [] }, { directory, io });
  }
  io.print(texts.found(countPlanned(plan)));
  if (!yes && !(await isConfirmed(prompt, texts))) {
    io.print(texts.notErased);
    return 1;
  }
  const act = () => eraseAsOwner(directory, query);
  // The log of what was done must not repeat whom it was about.
  const erased = await auditAct(directory, { action: 'erase', target: texts.target }, { io, act });
  io.print(texts.erased(erased));
  io.print(texts.leftAlone);
  return printRest(erased, { directory, io });
}

async function findPlan({ storage }: Directory, query: PersonQuery) {
  const person = await findStoredPerson(storage, query);
  return { person, plan: planErasure(person) };
}

async function eraseAsOwner(directory: Directory, query: PersonQuery) {
  const { storage } = directory;
  const owner = await storage.members.acquire();
  try {
    // Now that no other process can begin or resume a run in a directory.
    const { person, plan } = await findPlan(directory, query);
    return { plan, ...(await erasePerson(storage, { plan, person, owner })) };
  } finally {
    await owner.release();
  }
}

async function isConfirmed(prompt: Prompt | null, texts: PeopleTexts): Promise<boolean> {
  if (prompt === null) throw new CommandError(texts.yesNeeded);
  const answer = await prompt(`${texts.confirm} `);
  return /^(?:y|yes|はい)$/i.test(answer.trim());
}

const countPlanned = ({ ended, notes, accounts }: ErasurePlan) => ({
  runs: ended.length,
  notes: notes.length,
  accounts: accounts.length,
});

interface Rest {
  readonly plan: ErasurePlan;
  readonly failed: ErasedPerson['failed'];
}

/** Prints what has to wait, and why. @returns the exit code */
function printRest(
  { plan, failed }: Rest,
  { directory, io }: { directory: Directory; io: CommandIo },
): number {
  const texts = peopleTexts[directory.locale];
  const { active, damaged, requests, waitingTasks, hasPausedAll } = plan;
  const reasons = [
    ...active.map(({ name }) => texts.activeRun(name)),
    ...[...damaged, ...failed].map(({ name, reason }) => texts.unreadableRun(name, reason)),
    ...requests.map(texts.pendingRequest),
    ...(waitingTasks > 0 ? [texts.waitingTasks(waitingTasks)] : []),
    ...(hasPausedAll ? [texts.pausedAll] : []),
  ];
  if (reasons.length === 0) return 0;
  io.print(directory.redact(texts.postponed(reasons.map(cleanLine))));
  return 1;
}
