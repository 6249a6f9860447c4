export { findSandbox, listCommandLines, sandboxed } from './machine.ts';
export { startWorkspaceBed, type WorkspaceBed } from './workspace-bed.ts';
