import type { Plant } from './plant.ts';

/** Who writes a run's record, and what is read from it. */
export const plantsInRecords: readonly Plant[] = [
  {
    name: 'an-owner-is-not-compared',
    does: 'writes without comparing its number with that of the owner',
    changes: [
      { find: 'if (!bytes.equals(ours)) lose(', replace: 'void (' },
      { find: 'if (inodeAt(lifePath) !== inodes.life) lose(', replace: 'void (' },
    ],
    course: 'zombieWakes',
    breaks: 'a record is whole',
    test: {
      path: 'packages/run-store/src/ownership/acquire-ownership.test.ts',
      name: 'writes nothing more when somebody deletes its',
    },
  },
  {
    name: 'an-owner-is-asked-by-its-process-id',
    does: 'takes an owner whose process id is nobody here, or is its own, for gone',
    changes: [
      {
        find: 'const lockIsFree = locks.tryLock(lifeFd);',
        replace: `locks.tryLock(lifeFd);
  let lockIsFree = true;
  try {
    const pid = parseRecord(readBytes(recordFd))?.pid ?? process.pid;
    lockIsFree = pid === process.pid || !process.kill(pid, 0);
  } catch {}`,
      },
    ],
    course: 'sameHostTwoPidNamespaces',
    breaks: { says: 'was not refused' },
    test: {
      path: 'packages/run-store/src/ownership/acquire-ownership.test.ts',
      name: 'takes a container on the same kernel for the same system, whatever its host name',
    },
  },
  {
    name: 'every-claim-wins',
    does: 'works on a thread that another directory claimed first',
    changes: [
      {
        find: 'if (holder !== null && holder !== uuid) throw new ClaimLostError(holder);',
        replace: '',
      },
    ],
    course: 'twoDirectories',
    breaks: { says: 'runs asked the model' },
    test: {
      path: 'packages/orchestrator/src/run/run-claim.test.ts',
      name: 'the claim with the lower comment id holds, and the other is taken back',
    },
  },
  {
    name: 'metadata-is-not-derived',
    does: 'takes a run whose metadata.json is gone for damaged',
    changes: [
      {
        find: '// The record alone: what is done with these runs rests on it.',
        replace:
          "JSON.parse(process.getBuiltinModule('node:fs').readFileSync(join(directory, 'metadata.json'), 'utf8'));",
      },
    ],
    course: 'deleted:metadata.json',
    breaks: { says: 'the labels are' },
    test: {
      path: 'packages/run-store/src/record/derived-files.test.ts',
      name: 'can be harmed without changing anything',
    },
  },
  {
    name: 'a-pause-ends-no-row',
    does: 'counts deaths before a pause with those after it',
    changes: [{ find: 'paused: () => {\n      row = 0;', replace: 'paused: () => {' }],
    course: 'pauseEndsARowOfDeaths',
    breaks: { says: 'the labels are' },
    test: {
      path: 'packages/run-store/src/journal/count-crashes.test.ts',
      name: 'begins again after a pause, which is no death in a row',
    },
  },
  {
    name: 'checks-are-not-compared',
    does: 'believes a line whose check is another one',
    changes: [
      {
        find: "return { check: other ?? '', isWhole: false };",
        replace: "return { check: other ?? '', isWhole: true };",
      },
    ],
    course: 'flippedBit',
    breaks: { says: 'the record says nothing of damage' },
    test: {
      path: 'packages/run-store/src/record/damage.test.ts',
      name: 'is cut there, the rest kept beside it, and the run goes on from what is whole',
    },
  },
  {
    name: 'a-backup-is-believed',
    does: 'does not compare its record with the place that the thread shows',
    changes: [
      {
        find: 'if (isNews) await onNoted(place);',
        replace: '',
      },
    ],
    course: 'backupRestored',
    breaks: { says: 'nobody was told that a part of the record is lost' },
    test: {
      path: 'packages/orchestrator/src/run/run-claim.test.ts',
      name: 'tells which place of the record an earlier process noted, and nothing of its own',
    },
  },
];
