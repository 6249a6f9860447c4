export {
  findSandbox,
  listCommandLines,
  sandboxed,
  startWorkspaceBed,
  type WorkspaceBed,
} from './workspace-bed.ts';
