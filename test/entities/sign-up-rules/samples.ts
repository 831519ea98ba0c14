import type { Samples } from '../../flows/samples'

export const samples: Samples = {
  reads: ['testSignUpRules', 'previewAffectedUsers'],
}
