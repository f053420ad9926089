import * as three from "three";
import { createWorld, f32 } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createTransforms3D, Transform3D } from "espalier/transform";
import { createThreeSync } from "espalier/three";
import { createRandom, parentsOf, shuffled } from "./shared/trees.mjs";
const N=10000;const parents=parentsOf("balanced",N);
const world=createWorld({capacity:N});const tree=createHierarchy(world);const space=createTransforms3D(tree);
const es=[];for(let i=0;i<N;i++)es.push(tree.attachNew(parents[i]<0?null:es[parents[i]],Transform3D));
const view=createThreeSync(space);const mesh=new three.InstancedMesh(new three.BoxGeometry(),new three.MeshBasicMaterial(),N);
if(process.argv[2]!=='obj')view.attachInstances(mesh,world.query(Transform3D));else for(const e of es)view.attach(e,new three.Object3D());
view.sync();view.sync();
const r=createRandom(21);const samples=Array.from({length:15},()=>shuffled(N,r).slice(0,100));
const T={set:[],prop:[],sync:[],all:[]};let n=0;let changed=0;
for(let k=0;k<600;k++){const s=samples[k%15];const t0=performance.now();
 for(const i of s){n++;space.setLocal(es[i],{x:Math.sin(n),y:1,z:2,qx:0,qy:0,qz:Math.sin(n),qw:Math.cos(n)});}
 const t1=performance.now();const c=space.propagate();const t2=performance.now();changed+=view.sync();const t3=performance.now();
 if(k>200){T.set.push(t1-t0);T.prop.push(t2-t1);T.sync.push(t3-t2);T.all.push(t3-t0);}}
for(const k in T){T[k].sort((a,b)=>a-b);console.log(k,'median',(T[k][200]*1000).toFixed(1),'us  best',(T[k][5]*1000).toFixed(1));}
console.log('changed per frame',changed/600, 'reader',!!view.instances?.size);
