/** Loaded before all tests of a process: what fast-check tries comes from the seed of the run. */
import fc from 'fast-check'
import { seed } from './depth.ts'

fc.configureGlobal({ seed })
