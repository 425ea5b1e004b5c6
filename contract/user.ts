import Type from 'typebox'
import { operation } from './operation.ts'
import { NameField, User } from './shapes.ts'

const chapter = 'User and avatar'

export const userOperations = {
  getCurrentUser: operation({
    method: 'POST',
    path: '/user/get',
    summary: 'Read the current user',
    chapter,
    access: { kind: 'session' },
    replies: { 200: User },
  }),
  getUserInfo: operation({
    method: 'GET',
    path: '/api/v1/user-info',
    summary: 'Read the current user (earlier path)',
    chapter,
    access: { kind: 'session' },
    replies: { 200: User },
    supersededBy: 'getCurrentUser',
  }),
  updateProfile: operation({
    method: 'POST',
    path: '/user/update',
    summary: "Change the current user's profile",
    chapter,
    access: { kind: 'session' },
    body: Type.Object({ displayName: NameField({ min: 2, max: 100 }) }),
    replies: { 200: User },
    errors: ['sign-in-method-not-accepted'],
  }),
} as const
