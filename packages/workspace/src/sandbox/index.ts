export {
  type CommandSandbox,
  chooseSandbox,
  examineSandbox,
  type SandboxExamination,
  type SandboxObstacle,
  type SandboxOptions,
} from './sandbox.ts';
export { findNamedProgram } from './sandbox-arguments.ts';
